/** Is told whether data was sent, or the stream has ended before. */
export type OnSent = (isSent: boolean) => void;

/** Something to send on a stream: a frame as it is, or data, which the windows limit. */
export interface Pending {
  /** Of the frame, without its header; or of the data. */
  readonly bytes: Uint8Array;
  readonly isData: boolean;
  readonly endsStream: boolean;
  sent: number;
  readonly onSent: OnSent | undefined;
}

/** One stream: its state, and what happens to it. */
export abstract class Http2Stream {
  /** How many bytes may be sent. */
  sendWindow = 0;
  /** How many bytes were received since the window was last enlarged. */
  received = 0;
  /** Whether what was received has to be read here before more of it is permitted. */
  isBehind = false;
  /** How many bytes the body still has; -1 if that was not announced. */
  expected = -1;
  /** Whether the client has sent everything. */
  isReceived = false;
  /** Whether the end was sent, or waits for what is sent before it. Nothing can follow. */
  isEnding = false;
  /** Whether everything was sent. */
  isSent = false;
  /** Whether nothing can be sent or received any more. */
  isClosed = false;
  /** What waits for a window. */
  pending: Pending[] | undefined;

  constructor(readonly id: number) {}

  /** The headers have been read, and this stream can send. */
  abstract begin(): void;
  /** Receives bytes of the body, in the memory of what was read. */
  abstract receive(bytes: Buffer, start: number, end: number): void;
  /** The client has sent everything. */
  abstract receiveEnd(): void;
  /** Nothing can be sent or received any more, for whatever reason. */
  abstract closed(): void;
}
