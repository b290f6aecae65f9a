// npm run set-repository -- URL: writes the address of the repository into the published packages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const url = process.argv[2] ?? '';
if (!/^https:\/\/[^\s/]+\/[^\s]+[^\s/]$/.test(url) || url.endsWith('.git')) {
  console.error('usage: npm run set-repository -- URL, such as https://git.example.org/owner/hubwatch (without .git)');
  process.exit(2);
}
const folders = ['.', ...readdirSync('packages').map((name) => join('packages', name))];
for (const folder of folders) {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const repository = { type: 'git', url: `git+${url}.git`, ...(folder === '.' ? {} : { directory: folder }) };
  const facts = { repository, homepage: `${url}#readme`, bugs: `${url}/issues` };
  const written = {};
  for (const [key, value] of Object.entries(manifest)) {
    if (key in facts) continue;
    written[key] = value;
    // The position in npm's own order.
    if (key === 'description') Object.assign(written, facts);
  }
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
  console.log(`${file}: ${repository.url}`);
}
