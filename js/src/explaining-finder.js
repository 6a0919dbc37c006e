// `Finder` of `urigrep`, which also explains what it found.

import { Finder as PlainFinder } from './finder.js';

export class Finder extends PlainFinder {
  explain(text) {
    const findings = JSON.parse(this._output('explain', text));
    for (const finding of findings) {
      finding.text = text.slice(finding.start, finding.end);
      for (const step of finding.steps) step.text = text.slice(step.start, step.end);
    }
    return findings;
  }
}
