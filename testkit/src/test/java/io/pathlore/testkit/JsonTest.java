package io.pathlore.testkit;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void readsEveryKindOfValue() {
        Map<String, Object> value = Json.object(
                " {\"a\": [1, -2, 4294967295, 1.5, true, false], \"b\": {\"c\": \"x\\u00e9\\n\\\"\\/\"}, \"d\": 18446744073709551615} ");
        assertThat(value.get("a")).isEqualTo(List.of(1L, -2L, 4294967295L, new BigDecimal("1.5"), true, false));
        assertThat(value.get("b")).isEqualTo(Map.of("c", "x\u00e9\n\"/"));
        assertThat(value.get("d")).isEqualTo(new BigDecimal("18446744073709551615"));
        assertThat(Json.parse("null")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "01",
                "1.",
                "+1",
                "nul",
                "\"a",
                "\"\\x\"",
                "1 2",
                "{a:1}",
                "[1 2]",
                "'a'",
                "\"\n\"",
                "NaN"
            })
    void refusesWhatIsNotJson(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void printsEqualValuesAlike() {
        assertThat(Json.canonical(Json.parse("{\"b\" : [ ] , \"a\" : { \"d\":1, \"c\":\"\\u0001\" } }")))
                .isEqualTo("{\"a\":{\"c\":\"\\u0001\",\"d\":1},\"b\":[]}");
    }

    @Test
    void readsWhatItPrints() {
        forAll(random -> value(random, 0), value -> {
            String text = Json.canonical(value);
            assertThat(Json.parse(text)).isEqualTo(value);
            assertThat(Json.canonical(Json.parse(text))).isEqualTo(text);
        });
    }

    private static Object value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth < 4 ? 5 : 3)) {
            case 0 -> random.nextLong() >> random.nextInt(64);
            case 1 -> random.nextBoolean();
            case 2 -> {
                StringBuilder text = new StringBuilder();
                random.ints(random.nextInt(8), 0, 0x2FF).forEach(c -> text.append((char) c));
                yield text.toString();
            }
            case 3 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put("k" + random.nextInt(9), value(random, depth + 1));
                }
                yield map;
            }
        };
    }
}
