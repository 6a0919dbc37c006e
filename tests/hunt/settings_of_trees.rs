//! What trees are made of that are hunted for: files of settings, and pieces of them, of paths, and
//! of links.

/// Files that show a generator or hold settings, each with its start.
#[rustfmt::skip]
pub const FILES: &[(&str, &str)] = &[
    ("hugo.toml", "baseURL = 'https://s.dev/'\n"), ("config.toml", "base_url = 'https://s.dev/x/'\n"), ("hugo.yaml", "baseURL: https://s.dev/\n"),
    ("_config.yml", "baseurl: /b\n"), ("_config.yaml", "baseurl: /b\ndefaults:\n"), ("mkdocs.yml", "site_url: https://s.dev/d/\nplugins:\n  - search\n"), ("book.toml", "[book]\nsrc = '.'\n"),
    ("docusaurus.config.js", "module.exports = { url: 'https://s.dev', baseUrl: '/', presets: [['classic', {docs: {"), (".vitepress/config.js", "export default {\n"),
    ("conf.py", "extensions = ['myst_parser']\n"), ("_toc.yml", "root: a0\nchapters:\n"), ("myst.yml", "project:\n  toc:\n"), ("antora.yml", "name: a\nversion: '1'\n"),
    ("astro.config.mjs", "export default defineConfig({ site: 'https://s.dev',\n"), ("Cargo.toml", "[package]\nname = 'a'\n"), ("nuxt.config.ts", "export default {\n"),
    ("package.json", "{\"dependencies\": {"), ("_redirects", ""), ("netlify.toml", ""), ("vercel.json", "{\"redirects\": ["), (".git/config", "[remote \"origin\"]\n\turl = https://github.com/o/r\n"),
    (".gitignore", ""), ("SUMMARY.md", "# Summary\n\n"), ("docs.json", "{\"navigation\": ["), ("layouts/_markup/render-link.html", "{{ .Destination }}"), ("urigrep.toml", "[audit]\n"),
    ("content/a1/_index.md", "---\n"), ("modules/ROOT/nav.adoc", ""), ("index.html", "<!doctype html>\n"), (".gitmodules", ""), ("sidebars.js", "module.exports = {\n"), ("CNAME", "s.dev\n"),
    ("rspress.config.ts", "const a1 = 'b'\nexport default {\n"), ("mint.json", "{\"navigation\": ["),
    (".gitbook.yaml", "root: ./\nredirects:\n"), ("eleventy.config.js", "export default function (c) {\n"), ("a0.json", "{\"permalink\": \""), ("writerside.cfg", "<ihp><topics dir=\"topics\"/>"), ("topics/a0.topic", "<topic>\n"),
];

/// Keys, values, and punctuation of settings.
#[rustfmt::skip]
pub const SETTINGS: &[&str] = &[
    "\n", " ", "  ", "- ", ": ", " = ", "[", "]", "{", "}", "\"", "'", "`", ",", "#", "//", "/*", "*/", "|", ">", "(", ")", "=>", "\t", "---\n", "<", "!", "&a ", "*a ",
    "a{n}", "a1", "b", "/", "/a{n}", "a{n}/", "../", "./", "a{n}.md", "docs", "content", "static", "https://s.dev/a{n}", ":a", ":slug", ":title/", ":section", "*", "**", ".*", "(.*)", "{n}",
    "source: a{n}\n", "target: content/a{n}\n", "source = \"a{n}\"\n", "target = \"content/b{n}\"\n", "[[module.mounts]]\n", "\"source\": [", "\"destination\": \"/a{n}\"", "contentDir = 'a{n}'\n",
    "[languages.aa]\n", "[permalinks]\n", "a{n} = '/:section/:title/'\n", "a{n} = '/b/:slug'\n", "permalinks:\n", "baseURL = 'a'\n", "docs_dir: ", "docs_dir: [", "nav:\n", "- a{n}: a{n}.md\n", "INHERIT: mkdocs.yml\n",
    "hooks:\n", "- autorefs\n", "use_directory_urls: false\n", "theme:\n", "- redirects:\n", "a{n}.md: b.md\n", "src = 'a{n}'\n", "[preprocessor.a]\n", "[output.html.redirect]\n", "'/a{n}.html' = '/b.html'\n",
    "path: 'a{n}', ", "path: '../a{n}',\n", "routeBasePath: '/a{n}',\n", "{ path: 'a', routeBasePath: 'b{n}' },\n", "{ from: '/a{n}', to: '/b' },\n", "label: [", "srcDir: 'a{n}',\n", "base: '/a{n}/',\n", "rewrites: {\n", "sidebar: [\n",
    "{ text: 'a', link: '/a{n}' },\n", "myst_url_schemes = {", "'a{n}': None,\n", "html_extra_path = ['a{n}']\n", "exclude_patterns = ['a{n}']\n", "- file: a{n}\n", "- glob: a*\n", "references:\n", "start_page: a{n}\n",
    "/a{n} /b 301\n", "/a{n}/* /b/:splat\n", "/:x/a{n} /b\n", "/a/:y/{n} /c\n", "/* /b 404\n", "[[redirects]]\n", "from = '/a{n}'\n", "to = '/b'\n", "{\"source\": \"/a{n}/:x*\", \"destination\": \"/b\"},\n",
    "permalink: /a{n}/\n", "redirect_from: [/a{n}]\n", "aliases: [/a{n}, /b]\n", "aliases:\n", "- /a{n}\n", "slug: a{n}\n", "id: a{n}\n", "url: /a{n}\n", "title: a{n}\n", "draft: true\n", "categories: a{n}\n", "label: a{n}\n",
    "[remote \"a{n}\"]\n", "\turl = https://github.com/o/r{n}\n", "[submodule \"a{n}\"]\n", "\tpath = a{n}\n", "a{n}/\n", "*.a{n}\n", "!a{n}\n", "**/a{n}/**\n", "a*b?c{n}\n", "[ab]{n}\n", "* xref:a{n}.adoc[]\n", "* [a](a{n}.md)\n",
    "[[audit.override]]\n", "paths = ['a{n}']\n", "severities = { missing-target = 'off' }\n", "[audit.exclude]\n", "uris = ['a{n}']\n", "hosts = ['a{n}.*']\n", "import a{n} from 'a{n}';\n", "slugify: a\n", "collections:\n", "output: true\n",
    "root: a{n}\n", "root: a/b{n}\n", "structure:\n", "  summary: a{n}.md\n", "  a{n}: b.md\n", "addPassthroughCopy({\n", "addPassthroughCopy('a{n}');\n", "'a{n}': 'b',\n", "{{ page.fileSlug }}", "{{page.filePathStem}}", "{% if a %}", "{% endif %}", "{{ title | slugify }}", "\"permalink\": \"/a{n}/\",\n",
    "<topics dir=\"a{n}\"/>", "a{n}/", "permalink: /a/", "[languages.a{n}]\ncontentDir=\"a{n}\"\n", "[[module.mounts]]\nsource=\"a{n}\"\ntarget=\"content\"\n", "<images dir=\"a\"/>", "<include from=\"a{n}.topic\" element-id=\"b\"/>\n", " id=\"a{n}\"", " anchor=\"a{n}\"", "<toc-element topic=\"a{n}.md\"/>\n",
    "\ndefaults:\n", "  - scope:\n      path: a{n}\n", "    values:\n      permalink: /b{n}/:title.html\n", "permalink: /a{n}/:title/\n", "redirects: {\n", "'/a{n}/[...x]': '/b{n}/[...x]',\n", "'/a{n}': '/b{n}',\n", "outputDir: 'a{n}',\n",
];

/// Pieces of paths of directories and documents.
#[rustfmt::skip]
pub const PATHS: &[&str] = &[
    "a{n}", "a{n}/", "a/", "b", "aa{n}", "content/", "content/aa/", "docs/", "static/", "_posts/2020-01-01-a{n}.md", "i18n/aa/", "versioned_docs/version-{n}/", "src/", "src/content/docs/", "src/pages/", "modules/", "modules/a{n}/pages/",
    "{n}-a", "{n}.a", "a{n}.md", "index.md", "_index.md", "README.md", "/index.md", "/_index.md", "A{n}", "a-{n}.aa.md", "a b{n}", "aa", "aa-bb", "de/", "en/", "fr/", "v{n}/", "1.{n}/", "é{n}", "[a{n}]", "(a{n})/", "_a{n}/", ".vuepress/", "public/",
    "docs/a{n}.md", "content/a{n}.md", "content/a{n}/index.md", "_b/a{n}.md", "blog/", "xx{n}/", "mkdocs.yml", "conf.py", "book.toml", "_config.yml", "Cargo.toml", ".git/", "layouts/", "assets/", "a.html", "topics/", "topics/a{n}.topic", "images/a{n}/q.png", "a{n}.json", "index.{n}.md", "a{n}/a{n}/",
];

/// Pieces of the text of a document.
#[rustfmt::skip]
pub const LINKS: &[&str] = &[
    "[a](", ")", "[a](a{n}.md)\n", "[a](/a{n})\n", "[a](../a{n}/)\n", "[a](b{n}.md)\n", "[a](#a{n})\n", "[a](a{n}.md#b{n})\n", "[a](/de/a{n}/)\n", "[a](/docs/a{n})\n", "[a](/x/y/a{n})\n", "![a](a{n}.png)\n", "<a href=\"a{n}\">b</a>\n",
    "[[a{n}]]\n", "[[b/a{n}|c]]\n", "[a]: a{n}.md\n", "[a{n}]: b\n", "[a][a{n}]\n", "[a](<a {n}.md>)\n", "[a](https://s.dev/a{n})\n", "[a](https://github.com/o/r/blob/main/a{n}.md#L{n})\n", "[a](https://github.com/o/r{n})\n",
    "{{< ref \"a{n}.md\" >}}\n", "[a]({{< relref \"a{n}\" >}})\n", "[a]({% link a{n}.md %})\n", "[a]({% post_url 2020-01-01-a{n} %})\n", "```{toctree}\na{n}\n```\n", "{doc}`a{n}`\n", "{ref}`a{n}`\n", "[a](a{n}:b)\n", "xref:a{n}.adoc[]\n",
    "# a{n}\n", "# a\n", "<a id=\"a{n}\"></a>\n", "(a{n})=\n", "[a](a{n})\n", "[a](./a{n})\n", "[a](a{n}.html)\n", "[a](/a{n}.html#x)\n", "[a](A{n}.MD)\n", "[a](%61{n}.md)\n", "[a](a{n}/../a1.md)\n", "[a](@site/a{n})\n", "[a](~/a{n})\n", "[a](../../../../a{n})\n",
    "a", "/", "../", "./", "{n}", "#", "?a", ".md", ".html", "%20", "\n", "\n\n", " ", "`", "<!-- urigrep-disable-line -->", "{#a{n}}", "- ", "| a | b |\n|--|--|\n", "[a](/a1/b{n}/c{n}/d{n})\n", "[a](a{n}.mdx)\n", "@import 'a{n}';\n", "[crate::a{n}]\n", "![a](q.png)\n",
    "<include from=\"a{n}.topic\" element-id=\"b\"/>\n", "[a](#a{n})\n", "permalink: /{{ title | slugify }}/{n}\n",
    "{% include a.md %}\n", "{% render \"a{n}.njk\" %}\n", "--8<-- \"docs/a{n}.md\"\n", "!!!include(a{n}.md)!!!\n", "[[a{n}/a]]\n", "<!-- a{n} -->\n", "[a](#doc-{n})\n", "[A b][c{n}]\n", "[a](#a{n}-b)\n", "[a](a.md#b{n})\n",
];
