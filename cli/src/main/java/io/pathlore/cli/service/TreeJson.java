package io.pathlore.cli.service;

import io.pathlore.model.Fault;
import io.pathlore.serve.JsonText;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.tree.ReportTree;
import io.pathlore.wire.tree.TreeNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A report as a tree in JSON: each field with the octets it was read from, and what was noticed there. */
final class TreeJson {
    private final JsonText json = new JsonText();

    /** What was noticed and has no field yet, by the octet of the datagram. */
    private final SortedMap<Integer, String> noticed = new TreeMap<>();

    /** Octets with which a field begins. */
    private final Set<Integer> begins = new HashSet<>();

    private TreeJson(Warnings warnings, int start) {
        for (int i = 0; i < warnings.count(); i++) {
            String meaning = warnings.isFault(i)
                    ? warnings.fault(i).meaning()
                    : warnings.quirk(i).meaning();
            noticed.merge(
                    warnings.offset(i) - start, warnings.name(i) + ": " + meaning, (one, other) -> one + "; " + other);
        }
    }

    static String of(ReportView report) {
        return new TreeJson(report.warnings(), report.datagramStart()).text(ReportTree.of(report));
    }

    /**
     * How far a datagram was understood.
     *
     * @param before the reports of it that were
     * @param start where the datagram begins in what {@code warnings} count in
     * @param at octet of the datagram with which the trouble begins
     */
    static String rejected(List<TreeNode> before, Fault fault, Warnings warnings, int start, int at, int length) {
        List<TreeNode> children = new ArrayList<>(before);
        if (before.isEmpty() && at > 0) {
            children.add(new TreeNode("Read without objection", octets(at), 0, at, List.of()));
        }
        // A fault of one report says nothing about those behind it.
        boolean rest = fault.action() == Fault.Action.DROP || fault.action() == Fault.Action.REST;
        int reach = rest ? length - at : Math.min(1, length - at);
        children.add(new TreeNode(fault.name(), fault.clause() + ": " + fault.meaning(), at, reach, List.of()));
        TreeJson tree = new TreeJson(warnings, start);
        tree.noticed.merge(at, fault.name() + ": " + fault.meaning(), (one, other) -> one + "; " + other);
        return tree.text(new TreeNode("Datagram", "not understood from octet " + at + " on", 0, length, children));
    }

    /** What was noticed at this field and at no other: several may share an octet, and one that begins there is meant. */
    private String take(TreeNode field) {
        List<String> said = new ArrayList<>();
        noticed.subMap(field.offset(), field.end()).entrySet().removeIf(one -> {
            boolean here = one.getKey() == field.offset() || !begins.contains(one.getKey());
            return here && said.add(one.getValue());
        });
        return String.join("; ", said);
    }

    private void begin(TreeNode node) {
        if (node.children().isEmpty() && node.length() > 0) {
            begins.add(node.offset());
        }
        node.children().forEach(this::begin);
    }

    private String text(TreeNode root) {
        begin(root);
        write(root);
        return json.toString();
    }

    private static String octets(int count) {
        return count == 1 ? "1 octet" : count + " octets";
    }

    private void write(TreeNode node) {
        json.open('{').name("name").value(node.label());
        if (!node.value().isEmpty()) {
            json.name("value").value(node.value());
        }
        json.name("offset").value(node.offset()).name("length").value(node.length());
        if (node.children().isEmpty()) {
            String said = take(node);
            if (!said.isEmpty()) {
                json.name("warning").value(said);
            }
        } else {
            json.name("children").open('[');
            node.children().forEach(this::write);
            json.close(']');
        }
        json.close('}');
    }
}
