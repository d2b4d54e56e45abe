package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.config.Inventory;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.serve.access.Role;
import io.pathlore.store.tables.Queries;
import java.util.ArrayList;
import java.util.List;

/** Routes over the tables. */
public final class NetworkRoutes {
    private static final String API = "/api/v1/";
    private static final String GROUP = "Network";
    private static final Parameter[] TIME = {Parameter.SINCE, Parameter.UNTIL};
    private static final Parameter FLOW = Parameter.text("id", "of a flow: 16 hex digits", "[0-9a-f]{16}");
    private static final Parameter OF_FLOW = Parameter.text("flow", "only those of this flow");
    private static final Parameter SORT =
            Parameter.choice("sort", "what has most of it comes first", "reports", "drops", "latency");
    private static final Parameter SECONDS = Parameter.choice("series", "with each second", "false", "true");
    /** There are no tables; it takes too much. */
    private static final Integer[] REFUSALS = {404, 409, 422};

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
                list("nodes", "Nodes that were ever heard of, by id", "NodeList", routes::nodes),
                list("links", "Links, each direction for itself, by their ends", "LinkList", routes::links),
                get("topology", routes::topology)
                        .is(Operation.of(GROUP, "Nodes and links together, to be drawn; at most 10000 of each")
                                .takes(TIME)
                                .answers("Topology")
                                .refuses(REFUSALS)),
                list("flows", "Flows of the time, the first of them first", "FlowList", routes::flows, SORT),
                get("flows/{id}", routes::flow)
                        .is(Operation.of(GROUP, "One flow, minute by minute")
                                .at(FLOW)
                                .takes(TIME)
                                .answers("FlowPage")
                                .refuses(REFUSALS)),
                get("flows/{id}/explain", routes::explain)
                        .is(Operation.of(GROUP, "Where the time and the packets of a flow went, hop by hop")
                                .at(FLOW)
                                .takes(TIME)
                                .answers("FlowExplanation")
                                .refuses(REFUSALS)),
                list("paths", "Ways that flows took, the busiest first", "PathList", routes::paths, OF_FLOW),
                list("drops", "Where packets were dropped and why, the most first", "DropList", routes::drops, SECONDS),
                list("queues", "Queues, by their place", "QueueList", routes::queues),
                get("series", routes::series)
                        .is(Operation.of(GROUP, "The queues that match, together, in steps of time")
                                .takes(Parameter.SINCE, Parameter.UNTIL, Parameter.filter("queues"), Steps.POINTS)
                                .answers("Series")
                                .refuses(REFUSALS)),
                get("heatmap", routes::heatMap)
                        .is(Operation.of(GROUP, "How long packets were in each queue, in steps of time")
                                .takes(
                                        Parameter.SINCE,
                                        Parameter.UNTIL,
                                        Parameter.filter("queues"),
                                        Steps.POINTS,
                                        HeatMap.LIMIT)
                                .answers("HeatMap")
                                .refuses(REFUSALS)),
                get("bursts/{id}", routes::burst)
                        .is(Operation.of(GROUP, "One episode of a queue, packet by packet")
                                .at(Parameter.text("id", "`burst` of a queue or of a congestion"))
                                .answers("Burst")
                                .refuses(REFUSALS)));
    }

    private static Route get(String path, Route.Handler handler) {
        return Route.get(API + path, Role.VIEWER, handler);
    }

    private static Route list(String path, String summary, String schema, Route.Handler handler, Parameter... more) {
        List<Parameter> parameters = new ArrayList<>(List.of(TIME));
        parameters.add(Parameter.filter(path));
        parameters.addAll(List.of(more));
        parameters.add(Parameter.LIMIT);
        parameters.add(Parameter.CURSOR);
        return get(path, handler)
                .is(Operation.of(GROUP, summary)
                        .takes(parameters.toArray(Parameter[]::new))
                        .answers(schema)
                        .refuses(REFUSALS));
    }

    private Asked asked(Request request) throws Problem {
        return Asked.of(request, source);
    }

    private Reply nodes(Request request) throws Problem {
        return nodes(asked(request)).reply();
    }

    private Reply links(Request request) throws Problem {
        return new LinkList(asked(request)).answer().reply();
    }

    private Reply flows(Request request) throws Problem {
        return new FlowList(asked(request)).answer().reply();
    }

    private Reply paths(Request request) throws Problem {
        return new PathList(asked(request)).answer().reply();
    }

    private Reply drops(Request request) throws Problem {
        return new DropList(asked(request)).answer().reply();
    }

    private Reply queues(Request request) throws Problem {
        return new QueueList(asked(request)).answer().reply();
    }

    private Reply series(Request request) throws Problem {
        return new Series(asked(request), request.number("points")).reply();
    }

    private Reply heatMap(Request request) throws Problem {
        return new HeatMap(asked(request), request.number("points")).reply();
    }

    private ListAnswer nodes(Asked asked) throws Problem {
        return new NodeList(asked, source.silentAfterNanos()).answer();
    }

    /** Nodes and links together, to be drawn. */
    private Reply topology(Request request) throws Problem {
        Asked asked = asked(request);
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ListAnswer nodes = nodes(asked);
        ListAnswer links = new LinkList(asked).answer();
        root.set("nodes", nodes.items());
        root.set("links", links.items());
        root.put("cut", nodes.hasMore() || links.hasMore());
        return ListAnswer.reply(root, asked);
    }

    private Reply flow(Request request) throws Problem {
        Asked asked = asked(request);
        return ListAnswer.reply(new FlowPage(asked, request.path().getOrDefault("id", "")).answer(), asked);
    }

    private Reply explain(Request request) throws Problem {
        Asked asked = asked(request);
        return new FlowExplanation(asked, request.path().getOrDefault("id", "")).reply();
    }

    private Reply burst(Request request) throws Problem {
        String[] json = {""};
        Question.of("SELECT json FROM episodes WHERE id = ?", request.path().getOrDefault("id", ""))
                .ask(source.queries(), row -> json[0] = String.valueOf(row.text("json")));
        if (json[0].isEmpty()) {
            throw new Problem(404, "there is no burst of this id, or no longer; queues name theirs");
        }
        return Reply.json(200, json[0]);
    }
}
