import {
  defaultFrameBytes,
  defaultWindow,
  frameSizeError,
  FrameType,
  protocolError,
  putUint32,
} from "./http2-frame";
import type { Http2Output } from "./http2-output";
import { checkWindow, type Http2Sender } from "./http2-sender";
import type { Http2Stream } from "./http2-streams";
import { maxHeaderListBytes } from "./request-headers";

const Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

const settingBytes = 6;
const defaultTableBytes = 4096;
const megabyte = 1024 * 1024;

/**
 * The number of streams that may be open at once: more than Terraform opens with any -parallelism. An interrupt is a
 * call, too, and would not arrive while handlers hang in all streams.
 */
export const maxStreams = 10_000;
/** The number of bytes that may arrive on a stream before its window is enlarged. */
export const streamWindow = 16 * megabyte;
/** The number of bytes that may arrive on all streams before their window is enlarged. */
export const connectionWindow = 64 * megabyte;

/** Sends this end's settings. */
export function putSettings(output: Http2Output): void {
  const settings = [
    [Setting.maxConcurrentStreams, maxStreams],
    [Setting.initialWindowSize, streamWindow],
    [Setting.maxHeaderListSize, maxHeaderListBytes],
  ] as const;
  output.putHeader(settings.length * settingBytes, FrameType.settings, 0, 0);
  for (const [id, value] of settings) {
    const content = Buffer.of(0, id, 0, 0, 0, 0);
    putUint32(content, 2, value);
    output.put(content);
  }
  output.putNumber(FrameType.windowUpdate, 0, connectionWindow - defaultWindow);
}

/** Applies the peer's settings. @throws Http2ConnectionError for a value that is not permitted */
export function applySettings(
  bytes: Buffer,
  start: number,
  end: number,
  sender: Http2Sender,
  open: Iterable<Http2Stream>,
): void {
  if ((end - start) % settingBytes !== 0) throw frameSizeError();
  let window = sender.streamWindow;
  for (let at = start; at < end; at += settingBytes) {
    const value = bytes.readUInt32BE(at + 2);
    switch (bytes.readUInt16BE(at)) {
      case Setting.headerTableSize:
        if (value < defaultTableBytes) sender.confirmsTable = true;
        break;
      case Setting.enablePush:
        if (value > 1) throw protocolError("a setting for pushes that is no boolean");
        break;
      case Setting.initialWindowSize:
        checkWindow(value);
        window = value;
        break;
      case Setting.maxFrameSize:
        if (value < defaultFrameBytes || value > 2 ** 24 - 1) {
          throw protocolError("a frame size beyond the limits");
        }
        sender.frameBytes = value;
        break;
      default:
      // The others limit what this end does not send.
    }
  }
  // Once: a frame can have thousands of values, and each changes all the streams.
  if (window !== sender.streamWindow) sender.setStreamWindow(window, open);
}
