/** What a `Transport` header (RFC 2326, section 12.39) says; ports in the order RTP, RTCP. */
export interface Transport {
  readonly isTcp: boolean;
  readonly interleaved: Pair | null;
  readonly clientPort: Pair | null;
  readonly serverPort: Pair | null;
}

export type Pair = readonly [number, number];

/** The first transport of a header, or null when it cannot be used: multicast, or what is neither RTP over TCP nor UDP. */
export function parseTransport(header: string): Transport | null {
  const [first = ''] = header.split(',');
  const [protocol = '', ...parts] = first.split(';').map((part) => part.trim());
  if (!/^RTP\/AVP(\/(TCP|UDP))?$/i.test(protocol) || parts.some((part) => /^multicast$/i.test(part)))
    return null;
  const pair = (name: string, max: number): Pair | null => {
    const text =
      parts.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    const [, low, high] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
    if (low === undefined) return null;
    const found: Pair = [Number(low), high === undefined ? Number(low) + 1 : Number(high)];
    return found.every((each) => each <= max) ? found : null;
  };
  return {
    isTcp: /TCP$/i.test(protocol),
    interleaved: pair('interleaved', 255),
    clientPort: pair('client_port', 65_535),
    serverPort: pair('server_port', 65_535),
  };
}

export function writeTcpTransport([rtp, rtcp]: Pair): string {
  return `RTP/AVP/TCP;unicast;interleaved=${rtp}-${rtcp}`;
}

/** As a request; with ports of the server as an answer. */
export function writeUdpTransport(clientPort: Pair, serverPort?: Pair): string {
  const answered = serverPort === undefined ? '' : `;server_port=${serverPort.join('-')}`;
  return `RTP/AVP${serverPort === undefined ? '' : '/UDP'};unicast;client_port=${clientPort.join('-')}${answered}`;
}
