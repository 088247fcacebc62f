import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs written with HttpURLConnection do this. A line a form: its name, a tab, what the program read. */
public class HttpClient {
  static final String BASE = System.getenv("BASE");
  static final String KEY = System.getenv("KEY");
  static final String BROWSER =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0 Safari/537.36";

  public static void main(String[] arguments) throws IOException {
    byte[] picture = Files.readAllBytes(Path.of(System.getenv("IMAGE")));

    String created =
        get("/predict/face?command=create_person&person_name=" + encode("Zoë Müller") + "&model_id=77&apikey=" + KEY);
    told("GET create_person", created);
    told("cut status", cutAtDistance(created, "status", 2));
    told("cut post_type", cutAtDistance(created, "post_type", 15));
    told("GET insert_person_image", get("/predict/face?command=insert_person_image&person_id_filter=1001&apikey=" + KEY));
    String inserted =
        multipart("/predict/face?command=insert_person_image_key_id&key_id=ada&model_id=77&apikey=" + KEY, picture);
    told("multipart insert_person_image_key_id", inserted);

    String url = "&url=" + encode(System.getenv("IMAGE_URL"));
    told("GET url", get("/predict/image?apikey=" + KEY + url));
    String found = multipart("/predict/image?apikey=" + KEY, picture);
    told("multipart", found);
    told("cut face_count", cutAtDistance(found, "face_count", 1));

    told("a wrong key", get("/predict/image?apikey=wrong" + url));
  }

  /** The characters after a key, its quote, a colon and a space; with other separators this reads rubbish. */
  static String cutAtDistance(String text, String key, int length) {
    int start = text.indexOf("\"" + key + "\"") + key.length() + 4;
    return text.substring(start, start + length);
  }

  static String get(String target) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(BASE + target).openConnection();
    connection.setRequestMethod("GET");
    connection.setRequestProperty("User-Agent", BROWSER);
    return read(connection);
  }

  static String multipart(String target, byte[] picture) throws IOException {
    String boundary = "===" + System.currentTimeMillis() + "===";
    HttpURLConnection connection = (HttpURLConnection) new URL(BASE + target).openConnection();
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "multipart/form-data; boundary=" + boundary);
    try (OutputStream body = connection.getOutputStream()) {
      String head =
          "--" + boundary + "\r\n"
              + "Content-Disposition: form-data; name=\"image\"; filename=\"picture\"\r\n"
              + "Content-Type: application/octet-stream\r\n"
              + "Content-Transfer-Encoding: binary\r\n\r\n";
      body.write(head.getBytes(StandardCharsets.UTF_8));
      body.write(picture);
      body.write(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
    }
    return read(connection);
  }

  static String read(HttpURLConnection connection) throws IOException {
    InputStream answer =
        connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    answer.transferTo(whole);
    return whole.toString(StandardCharsets.UTF_8);
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static void told(String name, String value) {
    System.out.println(name + "\t" + value);
  }
}
