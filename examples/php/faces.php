<?php
// Enrols an image of a person and looks for that person in another image, with the extension curl of PHP:
//
//   KEY=lyn_… php faces.php Ada ada.jpg group.jpg
//
// PERCEPTION: the number of the collection of people; without it a new one is created.

function fail(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

$base = rtrim(getenv('BASE_URL') ?: 'http://127.0.0.1:8080', '/');
if ($argc !== 4) {
    fail('Name a person, an image of that person, and an image to search: php faces.php Ada ada.jpg group.jpg');
}
[, $name, $imageOfPerson, $imageToSearch] = $argv;
getenv('KEY') ?: fail('Set KEY to an API key.');
foreach ([$imageOfPerson, $imageToSearch] as $image) {
    is_readable($image) ?: fail("$image cannot be read");
}

/** The answer; an error ends the program with its detail, which says what to correct. */
function post(string $url, string|array $body, array $headers = []): array
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('KEY'), ...$headers],
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    $answer = $text === false ? ['detail' => curl_error($curl)] : json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    return isset($answer['detail']) ? fail($answer['detail']) : $answer;
}

$perception = getenv('PERCEPTION') ?: post(
    "$base/api/perceptions",
    json_encode(['name' => 'example']),
    ['Content-Type: application/json'],
)['model_id'];
echo "perception $perception\n";

// key_id is your own id of a person; the first image under a new one creates the person. Three to five images are best.
$enrolled = post(
    "$base/api/perceptions/$perception/images?" . http_build_query(['key_id' => $name]),
    ['image' => new CURLFile($imageOfPerson)],
);
$lines = "enrolled: {$enrolled['outcome']}";
foreach ($enrolled['findings'] as $finding) {
    $lines .= "\n  {$finding['advice']}";
}
if ($enrolled['outcome'] !== 'added') {
    fail($lines);
}
echo "$lines\n";

// A match is above the decision point, "unsure" near it, and a stranger is "unknown".
$faces = post("$base/api/perceptions/$perception/search", ['image' => new CURLFile($imageToSearch)])['faces'];
echo 'faces: ' . count($faces) . "\n";
foreach ($faces as $face) {
    $best = $face['candidates'][0] ?? ['name' => 'nobody', 'similarity' => 0];
    echo "  {$face['verdict']}: {$best['name']} {$best['similarity']}\n";
}
