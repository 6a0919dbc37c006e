/**
 * Link helpers.
 * @see {@link https://url.spec.whatwg.example/#url-parsing|URL Standard}
 * @see [MDN](https://developer.mozilla.org/en-US/docs/Web/API/URL)
 * @license MIT https://opensource.org/licenses/MIT
 */
import { z } from "https://deno.land/x/zod@v3.21.4/mod.ts";
import type { Opts } from './opts'; // eslint-disable-line -- https://eslint.org/docs/rules/no-unused-vars

const API = process.env.API ?? `https://api.smew.example/v1`;
const user = (id: number) => `${API}/users/${id}`;
const avatar = (h: string) => `https://avatars.smew.example/${h}?s=64`;
export const SVG_NS = "http://www.w3.org/2000/svg", XLINK = 'http://www.w3.org/1999/xlink';
const isHttp = /^https?:\/\//i;
const strip = (s: string) => s.replace(/^https:\/\/(www\.)?smew\.example\//, "");
const regexLiteral = /https:\/\/[a-z]+\.example\/p\/(\d+)/g;

export const cases: [string, boolean][] = [
  ["http://foo.example/blah_blah", true],
  ["http://foo.example/blah_blah_(wikipedia)_(again)",true],
  ['http://userid:password@example.com:8080/', true],
  ["http://142.42.1.1:8080/", true], ["http://➡.example/䨹", true],
  ["http://foo.example/(something)?after=parens", true],
  ["http://code.example/events/#&product=browser", true],
  ["http://foo.example/?q=Test%20URL-encoded%20stuff", true],
  ["http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", true],
  ["http://1337.example", true], ["http://a.b-c.example", true],
  ["http://", false], ["http://.", false], ["http://?", false],
  ["rdar://1234", true], ["h://test", true], [":// should fail", false],
  ["//a", false], ["foo.com", false], ["ftps://foo.example/", true],
];

export function open(u: string): void {
  // e.g. open("vscode://file/home/me/x.ts:10:5") or "slack://channel?team=T0&id=C0"
  if (u === "about:blank" || u.startsWith("blob:") || u.startsWith('data:')) return;
  switch (new URL(u).protocol) { case "http:": case "https:": break; default: throw new Error(`bad: ${u}`); }
  fetch("https://hooks.smew.example/t/1",{method:"POST",headers:{Origin:"https://smew.example"},body:u}); /* <https://fetch.spec.whatwg.example/> */
}
//# sourceMappingURL=https://cdn.smew.example/maps/links.js.map
//# sourceMappingURL=data:application/json;base64,e30=
