// Compiled, not run: the types say what the programs do.
import {
  Finder,
  parse,
  normalize,
  resolve,
  redact,
  UriError,
  setModule,
  type Match,
  type Rejected,
} from 'urigrep';
import MarkdownIt from 'markdown-it';
import callLinkify, { LinkifyIt, linkifyit, markdownIt } from 'urigrep/linkify-it';
import { Finder as LiteFinder, type LiteOptions } from 'urigrep/lite';
import remarkUrigrep from 'urigrep/remark';

const finder = new Finder({ schemes: ['https'], email: true, identifiers: 'doi', grammar: 'rfc3986' });
const [first]: Match[] = finder.find('http://a.example');
const host: string | null = first!.host;
for (const finding of finder.explain('')) {
  if (finding.reason === undefined) finding.uri.length;
  else {
    const rejected: Rejected = finding;
    rejected.at.toFixed();
  }
}
const html: string = finder.linkify('', { rel: 'ugc', schemes: ['ftp'] });
const port: string | null = parse('s:').port;
const texts: string[] = [normalize('s:'), resolve('s:', 'a'), redact(''), html, String(host), String(port)];
try {
  parse('');
} catch (error) {
  if (error instanceof UriError) error.at.toFixed();
}
setModule(new WebAssembly.Module(new Uint8Array(texts.length)));

const linkify: LinkifyIt = new LinkifyIt({ fuzzyLink: true })
  .add('x:', null)
  .tlds('lan', true)
  .set({ fuzzyIP: true });
callLinkify().match('');
new callLinkify({ tlds: ['com'] }).match('');
new MarkdownIt({ linkify: true }).use(markdownIt, { fuzzyLink: true }).render('');
linkifyit().match('')?.[0]?.lastIndex.toFixed();
linkify.matchAtStart('')?.url.length;
remarkUrigrep({ finder, schemes: ['http'] });

// @ts-expect-error there is no such option
new Finder({ emails: true });
// @ts-expect-error the text is a string
finder.find(1);
const options: LiteOptions = { email: true, schemes: ['https'] };
const lite: Match[] = new LiteFinder(options).find('');
// @ts-expect-error UTS #58 is not part of urigrep/lite
new LiteFinder({ uts58: true });
