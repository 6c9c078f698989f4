import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { ownStamp } from '../../src/main/disk/process/process-stamp'
import type { FindingKind } from '../../src/shared/model/checkup'
import { message } from './entries'
import { rotatedContext } from './rotated-context'

/** Makes a home of two conversations, of which one has archived entries, a title, a label and flags. */
export async function homeToDamage(folder: string): Promise<string> {
  const home = path.join(folder, 'home')
  await rotatedContext(
    home,
    'garden',
    [1, 2, 3, 4, 5, 6, 7].map((n) => `entry ${n} of the garden`),
    3,
  )
  await rotatedContext(home, 'shed', ['a spade', 'a rake'], 100)
  const write = (name: string, value: unknown) =>
    fs.writeFileSync(path.join(home, name), `${JSON.stringify(value, undefined, 2)}\n`)
  write('titles.skein.json', {
    titles: [
      { key: 'garden', title: 'Two beds', by: 'person', at: 1 },
      { key: 'shed', title: 'Tools {of} "iron"', by: 'person', at: 2 },
    ],
    rows: [
      { key: 'garden', color: 'red', created_at: 3 },
      { key: 'shed', hidden: true },
    ],
  })
  write('labels.skein.json', {
    labels: [
      { key: 'garden', entry: 'a', word: 'look', color: 'red', at: 1 },
      { key: 'shed', entry: 'b', word: 'buy', color: 'blue', at: 2 },
    ],
  })
  write('contexts.skein.json', {
    archived: ['shed'],
    renamed: [{ from: 'hut', to: 'shed', at: 1 }],
  })
  write('session.json', { implied_context: 'garden', previous_context: null })
  return home
}

/** A stamp of a process of this machine that has certainly ended. */
const deadStamp = { ...ownStamp(), host: os.hostname(), pid: 4_194_000, startTime: '1' }

/** Breaks one thing of a home; names where a checkup finds it. */
export interface HomeBreakage {
  /** From the home; of a cache from the cache folder, and of a file for the user from that folder. */
  readonly place: string
  readonly breaks: (home: string, cache: string, user: string) => void | Promise<void>
}

const garden = 'contexts/garden'
const read = (home: string, name: string) => fs.readFileSync(path.join(home, name), 'utf8')
const write = (home: string, name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
  fs.writeFileSync(path.join(home, name), text)
}
const add = (home: string, name: string, text: string) =>
  fs.appendFileSync(path.join(home, name), text)
const cut = (name: string): HomeBreakage => ({
  place: name,
  breaks: (home) => write(home, name, read(home, name).trimEnd().slice(0, -4)),
})
const partitionsOf = (home: string) =>
  fs
    .readdirSync(path.join(home, garden, 'transcript/partitions'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
const tornMiddle = (home: string, name: string) => {
  const [first = '', second = '', ...rest] = read(home, name).split('\n')
  write(home, name, [first, second.slice(0, 20), ...rest].join('\n'))
}

/** For each kind of finding something that makes one. */
export const breakages: Readonly<Record<FindingKind, HomeBreakage>> = {
  unreadable: {
    place: `${garden}/transcript`,
    breaks(home) {
      fs.rmSync(path.join(home, garden, 'transcript/manifest.json'))
      fs.mkdirSync(path.join(home, garden, 'transcript/manifest.json'))
    },
  },
  'lines-damaged': {
    place: `${garden}/transcript/partitions`,
    breaks: (home) =>
      tornMiddle(home, `${garden}/transcript/partitions/${partitionsOf(home)[0] ?? ''}`),
  },
  'partition-changed': {
    place: `${garden}/transcript/partitions`,
    breaks(home) {
      const name = `${garden}/transcript/partitions/${partitionsOf(home)[0] ?? ''}`
      write(home, name, read(home, name).replace('entry', 'Entry'))
    },
  },
  'seals-damaged': {
    place: `${garden}/seals.skein.jsonl`,
    breaks: (home) => add(home, `${garden}/seals.skein.jsonl`, 'no seal\n'),
  },
  'part-missing': {
    place: `${garden}/transcript/partitions`,
    breaks: (home) =>
      fs.rmSync(path.join(home, garden, 'transcript/partitions', partitionsOf(home)[0] ?? '')),
  },
  'lines-beside': {
    place: `${garden}/context.jsonl`,
    breaks(home) {
      const line = { ...message('known to the window alone'), id: 'beside', timestamp: 1 }
      add(home, `${garden}/context.jsonl`, `${JSON.stringify(line)}\n`)
    },
  },
  'name-refused': {
    place: 'contexts/my garden',
    breaks: (home) =>
      fs.cpSync(path.join(home, garden), path.join(home, 'contexts/my garden'), {
        recursive: true,
      }),
  },
  'reading-odd': {
    place: garden,
    breaks: (home) => write(home, `${garden}/context.json`, '{"messages":[]}'),
  },
  'answer-interrupted': {
    place: `${garden}/partial.skein.jsonl`,
    breaks: (home) =>
      write(home, `${garden}/partial.skein.jsonl`, `${JSON.stringify(message('half an answ'))}\n`),
  },
  'compaction-unfinished': {
    place: `${garden}/compacting.skein.json`,
    breaks: (home) =>
      write(home, `${garden}/compacting.skein.json`, '{"anchor":"none","summary":false}'),
  },
  'inbox-damaged': {
    place: `${garden}/inbox.jsonl`,
    breaks: (home) => write(home, `${garden}/inbox.jsonl`, '{"id":"m"\n'),
  },
  'state-damaged': cut('state.json'),
  'flags-damaged': cut('contexts.skein.json'),
  'titles-damaged': cut('titles.skein.json'),
  'labels-damaged': cut('labels.skein.json'),
  'session-damaged': cut('session.json'),
  'settings-damaged': {
    place: 'config.toml',
    breaks: (home) => write(home, 'config.toml', 'fuel = [\n'),
  },
  'own-damaged': {
    place: 'home.json',
    breaks: (_, __, user) => write(user, 'home.json', '{"home":'),
  },
  'open-to-others': {
    place: 'keys',
    breaks(_, __, user) {
      write(user, 'keys', 'secret')
      fs.chmodSync(path.join(user, 'keys'), 0o644)
    },
  },
  'meta-damaged': cut(`${garden}/context_meta.json`),
  'manifest-damaged': cut(`${garden}/transcript/manifest.json`),
  'partition-unlisted': {
    place: `${garden}/transcript/partitions`,
    breaks(home) {
      const name = `${garden}/transcript/manifest.json`
      const manifest = JSON.parse(read(home, name))
      manifest.partitions.pop()
      write(home, name, JSON.stringify(manifest))
    },
  },
  'rotation-unfinished': {
    place: `${garden}/transcript/partitions/1-2.jsonl`,
    breaks: (home) =>
      fs.linkSync(
        path.join(home, garden, 'transcript/active.jsonl'),
        path.join(home, garden, 'transcript/partitions/1-2.jsonl'),
      ),
  },
  'window-damaged': {
    place: `${garden}/context.jsonl`,
    breaks: (home) => tornMiddle(home, `${garden}/context.jsonl`),
  },
  'context-missing': {
    place: 'contexts/hut',
    breaks(home) {
      const state = JSON.parse(read(home, 'state.json'))
      write(home, 'state.json', JSON.stringify({ contexts: [...state.contexts, { name: 'hut' }] }))
    },
  },
  'context-unlisted': {
    place: 'contexts/shed',
    breaks(home) {
      const { contexts } = JSON.parse(read(home, 'state.json'))
      const others = contexts.filter(({ name }: { name: string }) => name !== 'shed')
      write(home, 'state.json', JSON.stringify({ contexts: others }))
    },
  },
  'lock-blocked': {
    place: `${garden}/.lock`,
    breaks: (home) => fs.mkdirSync(path.join(home, garden, '.lock')),
  },
  'lock-ahead': {
    place: `${garden}/.lock`,
    breaks: (home) => write(home, `${garden}/.lock`, '99999999999'),
  },
  'lock-left': {
    place: `${garden}/.lock`,
    async breaks(home) {
      const value = Math.floor(Date.now() / 1000)
      write(home, `${garden}/.lock`, String(value))
      const stat = await nodeDisk.stat(path.join(home, garden, '.lock'))
      const locks = [{ identity: stat?.identity, value }]
      const side = { token: 'of the dead', owner: deadStamp, thread: 0, locks }
      write(home, `${garden}/.lock.skein`, JSON.stringify(side))
    },
  },
  'claim-left': {
    place: '.state.skein',
    breaks: (home) =>
      write(
        home,
        '.state.skein',
        JSON.stringify({ token: 'deadbeef', owner: deadStamp, thread: 0 }),
      ),
  },
  'cache-damaged': {
    place: 'library/0123456789abcdef.jsonl',
    breaks: (_, cache) => write(cache, 'library/0123456789abcdef.jsonl', '{"file":"skein lib'),
  },
  'temporary-left': {
    place: `${garden}/transcript/active.tmp.123`,
    breaks(home) {
      const name = `${garden}/transcript/active.tmp.123`
      write(home, name, '{"half')
      fs.utimesSync(path.join(home, name), 1, 1)
    },
  },
}

/**
 * Every line below a folder that is an entry, and its text, whatever its file is called: a reader that knows nothing of homes. Of an answer on
 * its way and of the context window the texts alone.
 */
export function wholeLinesBelow(folder: string): readonly string[] {
  const lines: string[] = []
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (!/jsonl|\.migrated|damaged/.test(path.basename(name)) || !fs.statSync(file).isFile())
      continue
    // One becomes an entry; the other is derived, and written anew with the ids that the transcript has.
    const isText = ['partial.skein.jsonl', 'context.jsonl'].includes(path.basename(name))
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      const content = contentOf(line)
      if (content !== undefined) lines.push(isText ? content : line, content)
    }
  }
  return lines
}

function contentOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isEntry = typeof value === 'object' && value !== null && 'content' in value
    return isEntry ? JSON.stringify(value.content) : undefined
  } catch {
    return undefined
  }
}
