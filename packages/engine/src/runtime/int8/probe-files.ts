/** The two forms of the probe: with signed weights, and as `withExactProducts` rewrites it. */
export type ProbeForm = 'signed' | 'exact';

/**
 * The probe as ONNX files. Each inference process reads one when it starts: writing the file there loads protobufjs and lets it
 * generate its encoders, a quarter of the processor time of that start. The test compares them with what `writeModel` writes.
 */
export const probeFiles: Readonly<Record<ProbeForm, Uint8Array>> = {
  signed: fromBase64([
    'CAg68AYKRwoDcm93CgZtYXRyaXgKBHplcm8KC3NpZ25lZF96ZXJvEgdwcm9kdWN0Gg1NYXRNdWxJbnRlZ2VyIg1NYXRNdWxJbnRl',
    'Z2VyCoABCgVpbWFnZQoDb25lCgR6ZXJvCgdmaWx0ZXJzCgNvbmUKC3NpZ25lZF96ZXJvCgpjb252X3NjYWxlCgljb252X3plcm8S',
    'CWNvbnZvbHZlZBoLUUxpbmVhckNvbnYiC1FMaW5lYXJDb252KhUKDGtlcm5lbF9zaGFwZUADQAOgAQcSBXByb2JlKpEBCEAIAhAD',
    'QgZtYXRyaXhKgAF/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+A',
    'f4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gH+Af4B/gCq2AggCCBAIAwgD',
    'EANCB2ZpbHRlcnNKoAJ/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/',
    'f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/',
    'f39/f39/f3+AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICA',
    'gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICA',
    'gIAqCxACQgR6ZXJvSgEAKhIQA0ILc2lnbmVkX3plcm9KAQAqEBACQgljb252X3plcm9KAYAqDRABQgNvbmVKBAAAgD8qFBABQgpj',
    'b252X3NjYWxlSgSamTdHWhUKA3JvdxIOCgwIAhIICgIIAQoCCEBaHwoFaW1hZ2USFgoUCAISEAoCCAEKAggQCgIIBAoCCARiGQoH',
    'cHJvZHVjdBIOCgwIBhIICgIIAQoCCAJiIwoJY29udm9sdmVkEhYKFAgCEhAKAggBCgIIAgoCCAIKAggCQgQKABAR',
  ]),
  exact: fromBase64([
    'CAg6iQcKTgoDcm93CgxleGFjdC1pbnQ4LzEKBHplcm8KDGV4YWN0LWludDgvMBIHcHJvZHVjdBoNTWF0TXVsSW50ZWdlciINTWF0',
    'TXVsSW50ZWdlcgqGAQoFaW1hZ2UKA29uZQoEemVybwoMZXhhY3QtaW50OC8yCgNvbmUKDGV4YWN0LWludDgvMAoKY29udl9zY2Fs',
    'ZQoJY29udl96ZXJvEgljb252b2x2ZWQaC1FMaW5lYXJDb252IgtRTGluZWFyQ29udioVCgxrZXJuZWxfc2hhcGVAA0ADoAEHEgVw',
    'cm9iZSoLEAJCBHplcm9KAQAqEBACQgljb252X3plcm9KAYAqDRABQgNvbmVKBAAAgD8qFBABQgpjb252X3NjYWxlSgSamTdHKhMQ',
    'AkIMZXhhY3QtaW50OC8wSgGAKpcBCEAIAhACQgxleGFjdC1pbnQ4LzFKgAH/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/',
    'AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A',
    '/wD/AP8A/wD/AP8A/wD/AP8A/wD/ACq7AggCCBAIAwgDEAJCDGV4YWN0LWludDgvMkqgAv//////////////////////////////',
    '////////////////////////////////////////////////////////////////////////////////////////////////////',
    '/////////////////////////////////////////////////////////////wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFoVCgNyb3cSDgoMCAISCAoCCAEKAghAWh8KBWltYWdlEhYK',
    'FAgCEhAKAggBCgIIEAoCCAQKAggEYhkKB3Byb2R1Y3QSDgoMCAYSCAoCCAEKAggCYiMKCWNvbnZvbHZlZBIWChQIAhIQCgIIAQoC',
    'CAIKAggCCgIIAkIECgAQEQ==',
  ]),
};

function fromBase64(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join(''), 'base64');
}
