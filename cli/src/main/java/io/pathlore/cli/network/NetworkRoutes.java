package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.config.Inventory;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.store.tables.Queries;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Routes over the tables. */
public final class NetworkRoutes {
    private static final String API = "/api/v1/";
    private static final Set<String> SERIES = Set.of("since", "until", "filter", "points");

    /** What they need from the running process. Asked anew for each request, by many threads at once. */
    public interface Source {
        /** A {@link Problem} of status 503 or 409 where there are no tables now. */
        Queries queries() throws Problem;

        Inventory inventory();

        /** So long nothing is heard of a node that is silent. */
        long silentAfterNanos();

        long nowNanos();
    }

    private final Source source;

    private NetworkRoutes(Source source) {
        this.source = source;
    }

    public static List<Route> of(Source source) {
        NetworkRoutes routes = new NetworkRoutes(source);
        return List.of(
                Route.get(
                        API + "nodes",
                        Role.VIEWER,
                        request -> routes.nodes(routes.list(request)).reply()),
                Route.get(
                        API + "links",
                        Role.VIEWER,
                        request -> new LinkList(routes.list(request)).answer().reply()),
                Route.get(API + "topology", Role.VIEWER, routes::topology),
                Route.get(
                        API + "flows",
                        Role.VIEWER,
                        request -> new FlowList(routes.list(request, "sort"))
                                .answer()
                                .reply()),
                Route.get(API + "flows/{id}", Role.VIEWER, routes::flow),
                Route.get(API + "flows/{id}/explain", Role.VIEWER, routes::explain),
                Route.get(
                        API + "paths",
                        Role.VIEWER,
                        request -> new PathList(routes.list(request, "flow"))
                                .answer()
                                .reply()),
                Route.get(
                        API + "drops",
                        Role.VIEWER,
                        request -> new DropList(routes.list(request, "series"))
                                .answer()
                                .reply()),
                Route.get(
                        API + "queues",
                        Role.VIEWER,
                        request -> new QueueList(routes.list(request)).answer().reply()),
                Route.get(
                        API + "series",
                        Role.VIEWER,
                        request -> new Series(Asked.of(request, routes.source, SERIES)).reply()),
                Route.get(API + "bursts/{id}", Role.VIEWER, routes::burst));
    }

    private Asked list(Request request, String... more) throws Problem {
        Set<String> known = new TreeSet<>(Asked.OF_A_LIST);
        known.addAll(List.of(more));
        return Asked.of(request, source, known);
    }

    private ListAnswer nodes(Asked asked) throws Problem {
        return new NodeList(asked, source.silentAfterNanos()).answer();
    }

    /** Nodes and links together, to be drawn. */
    private Reply topology(Request request) throws Problem {
        Asked asked = Asked.of(request, source, Asked.OF_A_TIME);
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ListAnswer nodes = nodes(asked);
        ListAnswer links = new LinkList(asked).answer();
        root.set("nodes", nodes.items());
        root.set("links", links.items());
        root.put("cut", nodes.hasMore() || links.hasMore());
        return ListAnswer.reply(root, asked);
    }

    private Reply flow(Request request) throws Problem {
        Asked asked = Asked.of(request, source, Asked.OF_A_TIME);
        return ListAnswer.reply(new FlowPage(asked, request.path().getOrDefault("id", "")).answer(), asked);
    }

    private Reply explain(Request request) throws Problem {
        Asked asked = Asked.of(request, source, Asked.OF_A_TIME);
        return new FlowExplanation(asked, request.path().getOrDefault("id", "")).reply();
    }

    private Reply burst(Request request) throws Problem {
        if (!request.query().isEmpty()) {
            throw new Problem(400, "this route takes no parameters");
        }
        String[] json = {""};
        Question.of("SELECT json FROM episodes WHERE id = ?", request.path().getOrDefault("id", ""))
                .ask(source.queries(), row -> json[0] = String.valueOf(row.text("json")));
        if (json[0].isEmpty()) {
            throw new Problem(404, "there is no burst of this id, or no longer; queues name theirs");
        }
        return Reply.json(200, json[0]);
    }
}
