import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Probes in a Java program: HttpURLConnection, the file read as properties, a body of known length and one in pieces. */
public class Java {
    static Properties settings = new Properties();

    public static void main(String[] words) throws Exception {
        try (var reader = new InputStreamReader(new FileInputStream(".dbg/login-timeout.env"), StandardCharsets.UTF_8)) {
            settings.load(reader);
        }
        String session = settings.getProperty("DEBUG_SESSION_ID");
        String text = "\\\"quoted\\\" back\\\\slash Ünïcödé 日本語 🐞";
        probe("{\"sessionId\":\"" + session + "\",\"runId\":\"post-fix3\",\"hypothesisId\":\"H5\",\"location\":\"Login.java:31\","
            + "\"msg\":\"[DEBUG] login\",\"data\":{\"text\":\"" + text + "\",\"count\":3},\"ts\":1766000000000}", false);
        probe("{\"msg\":\"in pieces\"}", true);
    }

    static void probe(String json, boolean inPieces) throws Exception {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        URL url = new URL(settings.getProperty("DEBUG_SERVER_URL", "http://127.0.0.1:9/event"));
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json; charset=utf-8");
        connection.setDoOutput(true);
        if (inPieces) connection.setChunkedStreamingMode(8);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        System.out.println(connection.getResponseCode());
    }
}
