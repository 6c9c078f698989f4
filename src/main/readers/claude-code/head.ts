import { firstWords } from '../../../shared/model/basics/first-words'
import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { valuesOn } from '../common/record-values'
import { mayGiveTitle, noteTitle, recordFacts, type Titles } from './line-facts'

/** Bytes of a beginning in which words and the project are looked for. */
const headBytes = 4 * 1024 * 1024
/** A file up to this size is read whole for its titles. */
const titledBytes = 64 * 1024

/** Facts from the beginning of a session's file. */
export interface Head {
  readonly titles: Titles
  /** The first words of a person. */
  readonly human: string | undefined
  /** The first words of anybody. */
  readonly prompt: string | undefined
  readonly project: string | undefined
  /** Unix seconds. */
  readonly createdAt: number | undefined
  /** The session that its first lines name. */
  readonly session: string | undefined
}

/**
 * Reads the beginning of a session's file: up to the first words of a person and the first working folder, and titles as far
 * as the first 64 KB; at most 4 MB.
 */
export async function readSessionHead(file: DiskFile, signal: AbortSignal): Promise<Head> {
  const titles: { custom?: string; ai?: string; summary?: string } = {}
  let human: string | undefined
  let prompt: string | undefined
  let project: string | undefined
  let createdAt: number | undefined
  let session: string | undefined
  const head = () => ({ titles, human, prompt, project, createdAt, session })
  for await (const lines of readLines(file, { chunkBytes: 64 * 1024, signal }))
    for (const line of lines) {
      const isFound = human !== undefined && project !== undefined
      if (line.offset > (isFound ? titledBytes : headBytes)) return head()
      const others = [human, prompt, project, createdAt, session]
      if (!others.includes(undefined) && !mayGiveTitle(line.bytes)) continue
      for (const facts of await valuesOn(line, recordFacts)) {
        noteTitle(titles, facts)
        human ??= words(facts.human)
        prompt ??= words(facts.prompt)
        project ??= facts.cwd
        createdAt ??= facts.time
        session ??= facts.session
      }
    }
  return head()
}

function words(text: string | undefined): string | undefined {
  const found = text === undefined ? '' : firstWords(text)
  return found === '' ? undefined : found
}
