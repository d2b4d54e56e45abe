package io.pathlore.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {
    @Test
    void isOneJsonObjectInTheOrderOfThePuts() {
        Results results = new Results();
        results.put("c.204.ns", 33.128);
        results.put("views.204.ratio", 0.61);
        results.put("json.reportsPerSecond", 1_234_567);
        assertThat(results.json("decode", "a \"machine\""))
                .isEqualTo("{\"bench\":\"decode\",\"machine\":\"a \\\"machine\\\"\",\"results\":"
                        + "{\"c.204.ns\":33.13,\"views.204.ratio\":0.61,\"json.reportsPerSecond\":1235000}}");
    }

    @Test
    void theMedianOfAnEvenNumberLiesBetween() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(2.5, 1, 4));
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3));
    }
}
