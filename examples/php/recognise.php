<?php
// Recognises an image by both generations of the API, with the extension curl of PHP (on Debian: php-cli, php-curl):
//
//   KEY=lyn_… php recognise.php photo.jpg

function fail(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

$base = rtrim(getenv('BASE_URL') ?: 'http://127.0.0.1:8080', '/');
$image = $argv[1] ?? fail('Name an image: php recognise.php photo.jpg');
getenv('KEY') ?: fail('Set KEY to an API key.');
is_readable($image) ?: fail("$image cannot be read");

/** The answer; an error ends the program with its message, which says what to correct. */
function ask(string $url, array $options): array
{
    $curl = curl_init($url);
    // The key is in a header, because proxies log addresses.
    $headers = ['X-API-Key: ' . getenv('KEY'), ...$options[CURLOPT_HTTPHEADER] ?? []];
    curl_setopt_array($curl, [CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true] + $options);
    $body = curl_exec($curl);
    if ($body === false) {
        fail(curl_error($curl));
    }
    $answer = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    return isset($answer['error']) ? fail($answer['error']['message']) : $answer;
}

// v1: the file as an upload. "parts" selects what is looked for; without it, classes and faces come as well.
$answer = ask("$base/predict/image?parts=objects,texts", [CURLOPT_POSTFIELDS => ['image' => new CURLFile($image)]]);
echo "v1, objects and texts:\n";
foreach ($answer['objects']['predictions'] as $found) {
    // Coordinates are X1, X2, Y1, Y2 in pixels.
    echo "  {$found['object_title']} {$found['score']} at {$found['coordinates']}\n";
}
foreach ($answer['texts']['predictions'] as $found) {
    echo "  the text \"{$found['text_value']}\" at {$found['coordinates']}\n";
}

// v2: JSON with the image as base64, and the detector of your choice.
$answer = ask("$base/predict", [
    CURLOPT_CUSTOMREQUEST => 'PUT',
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'base64str' => base64_encode(file_get_contents($image)),
        'model_id' => 'coco-fast',
    ]),
]);
echo "v2, objects:\n";
foreach ($answer['predictions'] as $found) {
    ['xmin' => $x1, 'ymin' => $y1, 'xmax' => $x2, 'ymax' => $y2] = $found['coordinates'];
    echo "  {$found['class_title']} {$found['score']} from $x1,$y1 to $x2,$y2\n";
}
