// The bytes of the module where no file can be read at once: a part of the program, which the build puts here.
import base64 from 'urigrep:base64';

export function wasmBytes() {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
