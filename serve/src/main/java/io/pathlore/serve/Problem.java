package io.pathlore.serve;

/** A request that is answered with an error, as problem+json [RFC 9457]. The detail is read by whoever asked. */
public final class Problem extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String place;

    public Problem(int status, String detail) {
        this(status, detail, "");
    }

    /** {@code place}: lines that show where in what was asked it is wrong. */
    public Problem(int status, String detail, String place) {
        super(detail, null, false, false);
        this.status = status;
        this.place = place;
    }

    public int status() {
        return status;
    }

    String detail() {
        return String.valueOf(getMessage());
    }

    String place() {
        return place;
    }

    static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 422 -> "Unprocessable Content";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "Error";
        };
    }
}
