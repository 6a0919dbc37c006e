// Compiled, not run: a CommonJS module gets types of its own, since TypeScript lets it require no ES module.
import { Finder, parse, type Match } from 'urigrep';
import callLinkify, { LinkifyIt, markdownIt } from 'urigrep/linkify-it';
import { Finder as LiteFinder, type LiteOptions } from 'urigrep/lite';
import remarkUrigrep from 'urigrep/remark';

const found: Match[] = new Finder().find('');
const options: LiteOptions = { email: true, schemes: ['https'] };
const lite: Match[] = new LiteFinder(options).find('');
const port: string | null = parse('s:').port;
callLinkify().match(String([found, lite, port]));
markdownIt({ linkify: new LinkifyIt({ fuzzyIP: true }) });
remarkUrigrep({ finder: new Finder() });

// @ts-expect-error there is no such option
new Finder({ emails: true });
