<?php
// Probes in a PHP program: a stream over HTTP, the file read as one of ini settings.
$settings = parse_ini_file('.dbg/login-timeout.env');
$url = $settings['DEBUG_SERVER_URL'] ?? 'http://127.0.0.1:9/event';

function probe(array $event, string $type): void
{
    global $url;
    $options = ['method' => 'POST', 'header' => $type, 'content' => json_encode($event), 'timeout' => 10, 'ignore_errors' => true];
    file_get_contents($url, false, stream_context_create(['http' => $options]));
    echo explode(' ', $http_response_header[0])[1], "\n";
}

probe([
    'sessionId' => $settings['DEBUG_SESSION_ID'],
    'runId' => $settings['DEBUG_RUN_ID'] ?? 'pre',
    'hypothesisId' => 'B,C,E',
    'location' => 'Login.php/check',
    'msg' => '[DEBUG] login',
    'data' => ['text' => '"quoted" back\\slash Ünïcödé 日本語 🐞', 'empty' => []],
    'ts' => 1766000000000,
], 'Content-Type: application/json');
probe(['msg' => 'done'], 'X-Nothing: 1');
