import { isDeeperThan } from '../../../../shared/model/basics/json-depth'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { DiskFile } from '../../../disk/interface/disk'
import type { ValuePosition } from '../../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../../disk/json/json-line'
import { type FileLine, readLines } from '../../../disk/reading/lines'
import { applyChange, changeOf, type LogChange } from './change'
import { type PlayedRequests, RequestList, withoutRequests } from './played-requests'

/** A chat as its log leaves it. */
export interface PlayedLog extends PlayedRequests {
  /** Its other members. */
  readonly session: JsonObject
  /** Lines that are no change, or one that fits nowhere: nothing of them is in the chat. */
  readonly strange: readonly Uint8Array[]
  /** Damaged lines, as far as they are held; whole changes on them are in the chat. */
  readonly damaged: readonly Uint8Array[]
  /** The bytes behind the last line feed, where they are no whole change. */
  readonly torn: Uint8Array | undefined
  /** Something in the file is a change. */
  readonly isLog: boolean
}

/** More than any chat has; with the path of a change still fewer than a line may have. */
const deepestChange = 400

/** Plays the log of a chat to its end. Holds the chat, and one line. @throws DiskError */
export async function playLog(file: DiskFile): Promise<PlayedLog> {
  const play = new LogPlay()
  for await (const lines of readLines(file)) for (const line of lines) await play.take(line)
  return play.played()
}

/** A change, or a value on a line that is none. */
type LogValue = { readonly change: LogChange | undefined }

class LogPlay {
  private chat: Record<string, unknown> = {}
  private readonly list = new RequestList()
  private readonly strange: Uint8Array[] = []
  private readonly damaged: Uint8Array[] = []
  private torn: Uint8Array | undefined
  private isLog = false

  async take(line: FileLine): Promise<void> {
    const decoded = await decodeJsonLineInSlices(line, logValue)
    if (decoded.type === 'blank') return
    if (decoded.type === 'value') {
      if (!this.apply(decoded.value)) this.strange.push(kept(line))
      return
    }
    for (const value of decoded.recovered) this.apply(value)
    if (decoded.torn) this.torn = kept(line)
    else this.damaged.push(kept(line))
  }

  played(): PlayedLog {
    const { strange, damaged, torn, isLog } = this
    const session = withoutRequests(this.chat)
    return { ...this.list.played(), session, strange, damaged, torn, isLog }
  }

  private apply({ change }: LogValue): boolean {
    if (change === undefined) return false
    if (change.type === 'all') this.chat = { ...change.value }
    else if (!applyChange(this.chat, change)) return false
    this.isLog = true
    if (change.type === 'all' || (change.path[0] === 'requests' && change.path.length <= 2)) {
      const { requests } = this.chat
      this.list.take(Array.isArray(requests) ? requests : [])
    }
    return true
  }
}

function logValue(value: unknown, _text: string, position: ValuePosition): LogValue | string {
  if (isDeeperThan(value, deepestChange)) return `nested more than ${deepestChange} levels deep`
  const change = isJsonObject(value) ? changeOf(value) : undefined
  // What an answer quotes may itself look like a change.
  if (position === 'inside-torn' || (position === 'recovered' && change === undefined))
    return 'a part of a change'
  return { change }
}

/** Lines are there until the next ones are asked for. */
function kept({ bytes }: FileLine): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes)
}
