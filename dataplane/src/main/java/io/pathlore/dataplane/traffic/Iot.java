package io.pathlore.dataplane.traffic;

import java.util.ArrayList;
import java.util.List;

/**
 * Sensors that report a little now and then: some by CoAP, a datagram and its acknowledgement; the others by MQTT, on a
 * connection that stays open.
 *
 * @param mqttPercent of the sensors
 */
public record Iot(Conditions conditions, List<Integer> from, List<Integer> to, long periodNanos, int mqttPercent)
        implements TrafficSource {
    private static final int COAP_PORT = 5683;
    private static final int COAP_BYTES = 48;
    private static final int COAP_ACKNOWLEDGEMENT_BYTES = 12;
    private static final int MQTT_PORT = 1883;
    private static final int MQTT_PUBLISH_BYTES = 60;
    private static final int MQTT_ACKNOWLEDGEMENT_BYTES = 4;
    private static final long MQTT_BITS_PER_SECOND = 10_000_000;
    private static final int FIRST_PORT = 50_000;

    public Iot {
        from = List.copyOf(from);
        to = List.copyOf(to);
        Pairs.check(from, to);
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("period: must be more than 0");
        }
        if (mqttPercent < 0 || mqttPercent > 100) {
            throw new IllegalArgumentException("mqtt: must be from 0 to 100 percent");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        Exchange.Form coap =
                new Exchange.Form(false, COAP_BYTES, COAP_ACKNOWLEDGEMENT_BYTES, periodNanos, COAP_PORT, true);
        List<Integer> mqtt = new ArrayList<>();
        for (int i = 0; i < from.size(); i++) {
            int sensor = from.get(i);
            // Every so many, instead of the first so many: kinds of sensors are mixed.
            if ((i + 1) * mqttPercent / 100 > i * mqttPercent / 100) {
                mqtt.add(sensor);
            } else {
                int port = FIRST_PORT + i % 10_000;
                new Exchange(stage, conditions, coap, sensor, Pairs.inTurn(to, sensor, i), port, Dice.of(seed, i))
                        .begin(first, until);
            }
        }
        if (!mqtt.isEmpty()) {
            TcpPlan plan = new TcpPlan(
                    FlowSizes.always(MQTT_PUBLISH_BYTES),
                    FlowSizes.always(MQTT_ACKNOWLEDGEMENT_BYTES),
                    TcpPlan.ENDLESS,
                    periodNanos,
                    MQTT_BITS_PER_SECOND,
                    new PacketSizes(576),
                    MQTT_PORT,
                    1,
                    0);
            new TcpFlows(conditions, mqtt, to, 0, 0, mqtt.size(), plan)
                    .begin(stage, Dice.seed(seed, "mqtt"), startNanos, endNanos);
        }
    }
}
