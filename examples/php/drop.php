<?php
// Uploads an image to a drop by FTP with TLS and prints the keywords that were written into it, with the extension curl:
//
//   KEY=lyn_… DROP=1001 DROP_KEY=lyn_… php drop.php photo.jpg
//
// DROP and DROP_KEY are the id of the drop and its password, which "drops create" and the page Drops show. KEY, the key of
// the account, is for asking what became of the file.
// FTP_CERTIFICATE: the certificate of the FTP server, where no authority signed it; without it authorities are asked.

function fail(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

$path = $argv[1] ?? fail('Name an image: php drop.php photo.jpg');
getenv('KEY') ?: fail('Set KEY to an API key.');
getenv('DROP') ?: fail('Set DROP to the id of a drop.');
getenv('DROP_KEY') ?: fail('Set DROP_KEY to its key.');
is_readable($path) ?: fail("$path cannot be read");
$drop = rtrim(getenv('BASE_URL') ?: 'http://127.0.0.1:8080', '/') . '/api/drops/' . getenv('DROP');
$name = rawurlencode(time() . '-' . basename($path));

/** The answer; an error ends the program with its detail, which says what to correct. */
function get(string $url): array
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('KEY')],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        fail(curl_error($curl));
    }
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    return isset($answer['detail']) ? fail($answer['detail']) : $answer;
}

['host' => $host, 'port' => $port, 'user_name' => $user] = get($drop)['ftp'];
if ($port === null) {
    fail('the service has no FTP port: set LYNCEUS_FTP_PORT');
}
$file = fopen($path, 'rb');
$upload = curl_init("ftp://$host:$port/$name");
curl_setopt_array($upload, [
    CURLOPT_USERNAME => $user,
    CURLOPT_PASSWORD => getenv('DROP_KEY'),
    // The image by TLS too, and not only the commands.
    CURLOPT_USE_SSL => CURLUSESSL_ALL,
    CURLOPT_UPLOAD => true,
    CURLOPT_INFILE => $file,
    CURLOPT_INFILESIZE => filesize($path),
]);
if (getenv('FTP_CERTIFICATE')) {
    // That certificate and no other, whatever the host is called.
    curl_setopt_array($upload, [CURLOPT_CAINFO => getenv('FTP_CERTIFICATE'), CURLOPT_SSL_VERIFYHOST => 0]);
}
if (curl_exec($upload) === false) {
    fail(curl_error($upload));
}

// The upload is on the disk of the service now, and recognised within seconds.
do {
    sleep(1);
    [$found] = get("$drop/files?search=$name")['data'];
    if ($found['state'] === 'failed') {
        fail($found['error']);
    }
} while ($found['state'] !== 'done');
echo 'keywords: ' . implode(', ', $found['summary']['keywords']) . "\n";
