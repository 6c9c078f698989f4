import fs from 'node:fs'
import path from 'node:path'
import { collectFaults, type Faults } from './faults'
import {
  checkInbox,
  checkMeta,
  checkRequests,
  checkSession,
  checkState,
  checkTexts,
} from './small-files'
import { checkTranscript, checkWindow } from './transcript'

export interface HomeRules {
  /** Texts that must stand in no file but config.toml and local.toml, where a person keeps keys. */
  readonly secrets?: readonly string[]
  /** The calls at the very end of a transcript may lack results: their process was killed. */
  readonly openCalls?: boolean
  /** Locks, temporary files and partial answers may lie about: somebody is writing, or was killed. */
  readonly inUse?: boolean
  /** Temporary files may lie about: somebody was killed while replacing a file. Readers ignore them. */
  readonly temporaries?: boolean
  /** chibi's bytes_per_token; 3. */
  readonly bytesPerToken?: number
  /** Names besides its own that a context's older entries may give it: it was renamed, or began as a branch. */
  readonly formerNames?: readonly string[]
}

/**
 * Checks a whole chibi home that Skein has written against chibi's rules (the 0.9 shape, with roles), and tells every
 * fault as `file:line: words`, files relative to the home. Written from the description of the format alone: it shares
 * no code with what writes.
 *
 * A home that does not exist has no fault.
 */
export function checkHome(home: string, rules: HomeRules = {}): readonly string[] {
  const faults = collectFaults()
  const contexts = contextsOf(home, faults)
  checkState(home, contexts, faults)
  checkSession(home, faults)
  checkTexts(home, ['chibi', 'reflection', 'compaction', 'continuation'].map(prompt), faults)
  for (const context of contexts) {
    const folder = `contexts/${context}`
    const entries = checkTranscript(
      home,
      folder,
      context,
      {
        openCalls: rules.openCalls ?? false,
        bytesPerToken: rules.bytesPerToken ?? 3,
        formerNames: rules.formerNames ?? [],
      },
      faults,
    )
    if (rules.inUse !== true) checkWindow(home, folder, entries, faults)
    checkInbox(home, folder, context, faults)
    checkMeta(home, folder, faults)
    checkRequests(home, folder, faults)
    checkTexts(
      home,
      texts.map((name) => `${folder}/${name}`),
      faults,
    )
  }
  checkFiles(home, rules, faults)
  return faults.all
}

const prompt = (name: string) => `prompts/${name}.md`
const texts = [
  'todos.md',
  'goals.md',
  'summary.md',
  'system_prompt.md',
  'local.toml',
  'transcript.md',
]

/** chibi takes names of ASCII letters, digits, `-` and `_`; it ignores other folders, which is to lose them. */
function contextsOf(home: string, faults: Faults): readonly string[] {
  const folder = path.join(home, 'contexts')
  if (!fs.existsSync(folder)) return []
  if (!fs.statSync(folder).isDirectory()) {
    faults.add('contexts', undefined, 'is no folder')
    return []
  }
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((one) => !isLeft(one.name))
    .map((one) => {
      const fault = (words: string) => faults.add(`contexts/${one.name}`, undefined, words)
      if (!one.isDirectory()) fault('is no folder')
      if (!/^[A-Za-z0-9_-]+$/.test(one.name) || one.name.startsWith('-')) fault('is no name')
      // Messages to a person and to such a context could not be told apart.
      if (one.name === 'user') fault('is no name for a context')
      return one.name
    })
    .sort()
}

function isTemporary(name: string): boolean {
  return /\.tmp\.\d+$/.test(name)
}

/** What only a process that writes, or was killed, leaves. */
function isLeft(name: string): boolean {
  return (
    isTemporary(name) ||
    name === '.lock' ||
    name === '.state.skein' ||
    name.startsWith('.lock.skein') ||
    name === 'partial.skein.jsonl' ||
    name === 'compacting.skein.json'
  )
}

const mayHoldKeys = new Set(['config.toml', 'local.toml'])

/** What lies about, and what stands where it must not. */
function checkFiles(home: string, rules: HomeRules, faults: Faults): void {
  const secrets = (rules.secrets ?? []).map((secret) => Buffer.from(secret))
  for (const file of filesBelow(home, '')) {
    const name = path.posix.basename(file)
    const left = file.split('/').filter(isLeft)
    const mayLie = rules.inUse === true || (rules.temporaries === true && left.every(isTemporary))
    if (left.length > 0 && !mayLie) faults.add(file, undefined, 'was left behind')
    if (mayHoldKeys.has(name)) continue
    const bytes = fs.readFileSync(path.join(home, file))
    for (const secret of secrets) {
      const at = bytes.indexOf(secret)
      if (at === -1) continue
      const line = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1
      faults.add(file, line, 'holds a secret')
    }
  }
}

/** Every regular file, by its path with slashes. */
function filesBelow(home: string, folder: string): readonly string[] {
  const place = path.join(home, folder)
  if (!fs.existsSync(place)) return []
  return fs.readdirSync(place, { withFileTypes: true }).flatMap((one) => {
    const file = folder === '' ? one.name : `${folder}/${one.name}`
    if (one.isDirectory()) return filesBelow(home, file)
    return one.isFile() ? [file] : []
  })
}
