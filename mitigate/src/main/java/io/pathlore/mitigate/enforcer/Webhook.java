package io.pathlore.mitigate.enforcer;

import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.HttpCaller;
import io.pathlore.mitigate.http.Secret;
import io.pathlore.model.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Somebody else's program behind HTTP: one signed POST for each order, and any 2xx is a yes. */
public final class Webhook implements Enforcer {
    private final String name;
    private final Destination to;
    private final Secret secret;
    private final HttpCaller http;

    public Webhook(String name, Destination to, Secret secret, Duration timeout) {
        this.name = name;
        this.to = to;
        this.secret = secret;
        http = new HttpCaller(timeout);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void install(Rule rule) throws EnforcerException, InterruptedException {
        post(Order.json("install", name, rule));
    }

    @Override
    public void withdraw(Rule rule) throws EnforcerException, InterruptedException {
        post(Order.json("withdraw", name, rule));
    }

    private void post(String body) throws EnforcerException, InterruptedException {
        try {
            to.check();
            int status = http.send("POST", to.uri(), body, Map.of(Secret.HEADER, secret.signature(body)));
            if (status / 100 != 2) {
                throw new EnforcerException(to.uri().getHost() + " answered " + status);
            }
        } catch (IOException e) {
            throw EnforcerException.because(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
