package io.pathlore.wire.tree;

import java.util.List;

/**
 * One line of a decoded report: what it is called in its specification, what it says, and which bytes say so.
 *
 * @param value empty where the label says it all
 * @param offset of its first byte, counted from where the datagram starts
 * @param length in bytes; a field of a few bits has the bytes it touches; 0 for what is said about no bytes in particular
 */
public record TreeNode(String label, String value, int offset, int length, List<TreeNode> children) {
    public TreeNode {
        children = List.copyOf(children);
    }

    public int end() {
        return offset + length;
    }
}
