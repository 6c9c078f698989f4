import {
  type ConversationQuote,
  type OfferedFile,
  type QuotedPart,
  rankOfFile,
} from '../../../shared/model/attachments/mentions'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { imageLimits } from '../../../shared/model/conversation/images'
import type { Disk } from '../../disk/interface/disk'
import type { Transcripts } from '../../library/transcripts'
import type { Settings } from '../../settings/settings'
import {
  type AllowedFile,
  listAllowedFiles,
  readAllowedFile,
} from '../../tools/files/allowed-files'
import { quoteConversation } from './quote'

/** Files of the allowed folders and other conversations, as a message can name them. */
export interface Mentions {
  /** Finds files that fit what was typed, best first; walks the folders where it has not just done so. */
  files(
    context: string | undefined,
    query: string,
  ): Promise<{ readonly files: readonly OfferedFile[]; readonly isCut: boolean }>
  /** Reads a file of an allowed folder. @throws AppError `bad-argument`, `io` */
  readFile(
    context: string | undefined,
    path: string,
  ): Promise<{ readonly name: string; readonly bytes: Uint8Array }>
  /** Quotes a conversation; one that is still read for an earlier call is left. @throws AppError `not-found`, `unreadable`, `bad-argument` */
  quote(key: LibraryKey, title: string, part: QuotedPart): Promise<ConversationQuote>
}

/** Items of the folders that are looked at, and files that are offered. */
const mostItems = 20_000
const mostOffered = 50
/** How long a walk is good for, in ms: a word is typed meanwhile. */
const walkLastsMs = 10_000

/** Folders as they were walked. */
interface WalkedFolders {
  readonly of: string
  /** When the walk ended; undefined while it goes on. */
  endedMs: number | undefined
  readonly found: Promise<{ readonly files: readonly AllowedFile[]; readonly isCut: boolean }>
}

/** Opens what messages can name. Touches nothing. */
export function openMentions(deps: {
  readonly disk: Disk
  readonly home: string
  readonly ownFolders: readonly string[]
  readonly settings: Pick<Settings, 'runSettings'>
  readonly transcripts: () => Pick<Transcripts, 'page'>
  /** Unix milliseconds. */
  readonly now?: () => number
}): Mentions {
  const { disk, home, ownFolders, settings, transcripts, now = Date.now } = deps
  let walked: WalkedFolders | undefined
  let stop = new AbortController()
  let stopQuote = new AbortController()

  async function allowedOf(context: string | undefined) {
    const { allowedPaths } = await settings.runSettings(context)
    return { disk, home, ownFolders, allowedPaths }
  }

  function walk(allowed: Awaited<ReturnType<typeof allowedOf>>): WalkedFolders['found'] {
    const of = JSON.stringify(allowed.allowedPaths)
    const isFresh = walked?.endedMs === undefined || now() - walked.endedMs < walkLastsMs
    if (walked?.of === of && isFresh) return walked.found
    stop.abort()
    stop = new AbortController()
    const found = listAllowedFiles(allowed, mostItems, stop.signal)
    const mine: WalkedFolders = { of, endedMs: undefined, found }
    walked = mine
    found.then(
      () => {
        mine.endedMs = now()
      },
      // A walk that failed is no answer to the next letter.
      () => {
        if (walked === mine) walked = undefined
      },
    )
    return found
  }

  return {
    async files(context, query) {
      const allowed = await allowedOf(context)
      if (allowed.allowedPaths.length === 0) return { files: [], isCut: false }
      const { files, isCut } = await walk(allowed)
      const fitting = files
        .map((file) => ({ file, rank: rankOfFile(file, query) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      return { files: fitting.slice(0, mostOffered).map(({ file }) => file), isCut }
    },
    async readFile(context, path) {
      return readAllowedFile(await allowedOf(context), path, imageLimits.bytes)
    },
    async quote(key, title, part) {
      stopQuote.abort()
      stopQuote = new AbortController()
      return quoteConversation(transcripts(), { key, title, part }, stopQuote.signal)
    },
  }
}
