import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import { elementsIn } from '../../records/document/document-format'
import type { DocumentShape, FoundElement } from '../../records/document/shape'

/** Tokens and cost of a request to a model, as a message's metadata keeps them. */
export interface RequestUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly cost?: number
}

/** A request to a model, as the screen shows it. */
export interface ShownRequest {
  /** Unix milliseconds. */
  readonly at: number
  /** The number of the last message before it, from 0, where it is told. */
  readonly after: number | undefined
  readonly usage: RequestUsage | undefined
}

/** A failure that only the screen tells. */
export interface ShownNotice {
  readonly at: number
  readonly kind: string
  readonly text: string
}

/** Facts of a task that only its screen has. */
export interface Screen {
  /** Of everything that was shown, in order. */
  readonly times: readonly number[]
  readonly requests: readonly ShownRequest[]
  readonly notices: readonly ShownNotice[]
}

const shape: DocumentShape = {
  id: 'cline-screen',
  records: '',
  facts: ['ts', 'type', 'say', 'ask', 'conversationHistoryIndex'],
  record: { id: ['id'], parent: ['parent'], time: ['ts'] },
}

const noticeKinds: ReadonlySet<unknown> = new Set([
  'error',
  'diff_error',
  'clineignore_error',
  'rooignore_error',
  'condense_context_error',
  'api_req_failed',
])

const never = new AbortController().signal
/** A request's text may hold all that was sent. */
const largestBytes = 64 * 1024 * 1024

const nothing: Screen = { times: [], requests: [], notices: [] }

/** Reads what was shown of a task; nothing where there is no such file. Holds one element. @throws DiskError */
export async function readScreen(disk: Disk, file: string): Promise<Screen> {
  let opened: DiskFile
  try {
    opened = await disk.open(file, 'read')
  } catch (error) {
    if (isNotFound(error)) return nothing
    throw error
  }
  try {
    return await screenIn(opened)
  } finally {
    await opened.close()
  }
}

async function screenIn(opened: DiskFile): Promise<Screen> {
  const times: number[] = []
  const requests: ShownRequest[] = []
  const notices: ShownNotice[] = []
  for await (const element of elementsIn(opened, shape, never)) {
    const { ts: at, say, ask, conversationHistoryIndex: index } = element.facts
    if (typeof at !== 'number' || element.isTorn) continue
    times.push(at)
    const kind = say ?? ask
    if (say === 'api_req_started') {
      const usage = usageIn(await textOf(element, opened))
      requests.push({ at, after: typeof index === 'number' ? index : undefined, usage })
    } else if (typeof kind === 'string' && noticeKinds.has(kind)) {
      const text = await textOf(element, opened)
      if (text.trim() !== '') notices.push({ at, kind, text })
    }
  }
  return { times, requests, notices }
}

async function textOf({ start, end }: FoundElement, file: DiskFile): Promise<string> {
  if (end - start > largestBytes) return ''
  const value = parsed(Buffer.from(await readExactly(file, start, end - start)).toString('utf8'))
  return typeof value?.text === 'string' ? value.text : ''
}

/** Cline counts what came from a cache, and what went into it, beside the tokens that were sent. */
function usageIn(text: string): RequestUsage | undefined {
  const { tokensIn, tokensOut, cacheReads, cacheWrites, cost } = parsed(text) ?? {}
  const cached = countIn(cacheReads)
  const input = countIn(tokensIn) + cached + countIn(cacheWrites)
  const output = countIn(tokensOut)
  if (input + output === 0) return undefined
  return { input, output, cached, ...(typeof cost === 'number' ? { cost } : {}) }
}

/** Returns a number of tokens; 0 for anything that is none. */
export function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
