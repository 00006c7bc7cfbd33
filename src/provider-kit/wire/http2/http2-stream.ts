/** Called when data was sent, or with false if the stream ended first. */
export type OnSent = (isSent: boolean) => void;

/** Something to send on a stream: a complete frame, or data, which the windows limit. */
export interface Pending {
  /** The bytes of the frame without its header, or of the data. */
  readonly bytes: Uint8Array;
  readonly isData: boolean;
  readonly endsStream: boolean;
  sent: number;
  readonly onSent: OnSent | undefined;
}

/** The state and the events of one stream. */
export abstract class Http2Stream {
  /** The number of bytes that may be sent. */
  sendWindow = 0;
  /** The number of bytes received since the window was last enlarged. */
  received = 0;
  /** True if received data must be read here before the client may send more. */
  isBehind = false;
  /** The number of bytes that the body still has; -1 if its length was not announced. */
  expected = -1;
  /** True if the client has sent everything. */
  isReceived = false;
  /** True if the end was sent, or waits for earlier data. Nothing can follow. */
  isEnding = false;
  /** True if everything was sent. */
  isSent = false;
  /** True if nothing can be sent or received any more. */
  isClosed = false;
  /** Frames and data that wait for a window. */
  pending: Pending[] | undefined;

  constructor(readonly id: number) {}

  /** Called when the headers have been read and this stream can send. */
  abstract begin(): void;
  /** Receives bytes of the body, which share the memory of the read buffer. */
  abstract receive(bytes: Buffer, start: number, end: number): void;
  /** Called when the client has sent everything. */
  abstract receiveEnd(): void;
  /** Called when nothing can be sent or received any more, for whatever reason. */
  abstract closed(): void;
}
