import path from 'node:path'

/** chibi's names: ASCII letters, digits, `-` and `_`. Reading is kinder than creating: a leading dash is read. */
const readableName = /^[A-Za-z0-9_-]{1,255}$/

/** Returns true for a folder name that can be a context's. */
export function isContextName(name: string): boolean {
  return readableName.test(name)
}

/** Paths of the files and folders of a home. */
export interface HomePaths {
  readonly home: string
  readonly contexts: string
  readonly state: string
  /** The context that chibi uses where none is named. */
  readonly session: string
  /** Flags of contexts: which are archived, which had other names. */
  readonly marks: string
  /** Titles that were given to contexts in Skein, by a person or a model. */
  readonly titles: string
  /** Labels that a person gave to entries of contexts in Skein. */
  readonly labels: string
  /** Exclusive file of ours: held for the read and write of state.json, session.json, the flags, the titles and the labels. */
  readonly stateGate: string
}

/** Returns the paths of a home. */
export function homePaths(home: string): HomePaths {
  return {
    home,
    contexts: path.join(home, 'contexts'),
    state: path.join(home, 'state.json'),
    session: path.join(home, 'session.json'),
    marks: path.join(home, 'contexts.skein.json'),
    titles: path.join(home, 'titles.skein.json'),
    labels: path.join(home, 'labels.skein.json'),
    stateGate: path.join(home, '.state.skein'),
  }
}

/** Paths of a context's files and folders. Names with `skein` are ours; chibi ignores them. */
export interface ContextPaths {
  readonly name: string
  readonly folder: string
  readonly transcript: string
  readonly active: string
  readonly manifest: string
  readonly partitions: string
  readonly window: string
  readonly dirty: string
  readonly meta: string
  readonly legacyTranscript: string
  readonly legacyContext: string
  /** For people, of chibi up to 0.8.5. */
  readonly legacyPage: string
  readonly partial: string
  readonly seals: string
}

/** Returns the paths of a context in a home. */
export function contextPaths(home: string, name: string): ContextPaths {
  return contextPathsIn(path.join(home, 'contexts', name), name)
}

/** Returns the paths of a context whose folder is elsewhere: one that is being created. */
export function contextPathsIn(folder: string, name: string): ContextPaths {
  const transcript = path.join(folder, 'transcript')
  return {
    name,
    folder,
    transcript,
    active: path.join(transcript, 'active.jsonl'),
    manifest: path.join(transcript, 'manifest.json'),
    partitions: path.join(transcript, 'partitions'),
    window: path.join(folder, 'context.jsonl'),
    dirty: path.join(folder, '.dirty'),
    meta: path.join(folder, 'context_meta.json'),
    legacyTranscript: path.join(folder, 'transcript.jsonl'),
    legacyContext: path.join(folder, 'context.json'),
    legacyPage: path.join(folder, 'transcript.md'),
    partial: path.join(folder, 'partial.skein.jsonl'),
    seals: path.join(folder, 'seals.skein.jsonl'),
  }
}

/** Returns a path relative to the home, with slashes, as spans of lines name files. */
export function homeRelativePath(home: string, file: string): string {
  return path.relative(home, file).split(path.sep).join('/')
}
