import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const page = fs.readFileSync(
  path.resolve(import.meta.dirname, '../../docs/command-line.md'),
  'utf8',
)
/** The first column of the table under a heading. */
function replacedIn(heading: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|')[1])
    .join('\n')
}

/** The letters and options of each program, by its own help. */
it.each([
  [
    'chibi',
    '-c -C -l -L -d -D -a -A -b -B -z -Z -r -R -g -G -n -N -y -Y -u -U -p -P -m -M -v -t -x -X -s -h',
    '--clear-cache --clear-cache-for --cleanup-cache --hide-tool-calls --show-thinking --no-tool-calls --raw --json-config --json-output --debug --home --project-root --version',
  ],
  [
    'cycodj',
    'list show search branches stats cleanup all -d -c -r -u -a -C -v',
    '--date --last --today --yesterday --after --time-after --before --time-before --date-range --time-range --messages --stats --branches --save-output --show-tool-calls --show-tool-output --max-content-length --verbose --show-tools --no-dates --find-duplicates --remove-duplicates --find-empty --remove-empty --older-than-days --execute --instructions --use-built-in-functions --save-chat-history --debug --quiet --log',
  ],
  [
    'voicemode exchanges',
    'tail view search stats export -f -F -c -n -d -o',
    '--stt --tts --full --no-color --provider --transport --today --reverse --type --regex --conversation --include-audio',
  ],
])('each command, letter and option of %s has its row', (heading, short, long) => {
  const column = replacedIn(heading)
  const missing = [...short.split(' '), ...long.split(' ')].filter(
    (one) => !new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(column),
  )
  expect(missing).toEqual([])
})
