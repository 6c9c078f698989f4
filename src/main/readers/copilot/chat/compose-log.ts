import { isJsonObject } from '../../../../shared/model/basics/json-object'
import type { DiskFile } from '../../../disk/interface/disk'
import { yieldToOthers } from '../../../disk/pacing/slices'
import type { Composition } from '../../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  unendedLine,
  withoutLineEnds,
} from '../../../records/lines/composed-line'
import { textIn } from '../../common/drafts'
import { chatLeafLine, chatMembersLine, requestLine, strangeLine } from './chat-lines'
import { playLog } from './log'

/** Composes the lines of a chat from the log of its changes. @throws DiskError */
export async function composeLog(file: DiskFile): Promise<Composition> {
  const { session, requests, leaf, strange, damaged, torn, isLog } = await playLog(file)
  const { pendingRequests: waiting, ...others } = session
  const lines: ComposedLine[] = [chatMembersLine(JSON.stringify(others))]
  for (const { id, request, previous } of requests) {
    const text = JSON.stringify(request)
    lines.push(requestLine(text, id === undefined ? undefined : previous))
    await yieldToOthers(text.length)
  }
  const pending = Array.isArray(waiting) ? waiting : []
  for (const one of pending) {
    const request = isJsonObject(one) ? (one.request ?? one) : one
    lines.push(requestLine(JSON.stringify(request), undefined, ',"isPending":true'))
  }
  if (leaf !== undefined) lines.push(chatLeafLine(leaf))
  for (const change of strange) lines.push(strangeLine(withoutMark(change)))
  for (const line of damaged) lines.push(composedLine(withoutLineEnds(line)))
  if (torn !== undefined) lines.push(unendedLine(withoutLineEnds(torn)))
  const faults = strange.length + damaged.length + (torn === undefined ? 0 : 1)
  const title = textIn(session.customTitle)
  return { lines, about: { isChat: isLog, said: requests.length + pending.length, faults, title } }
}

/** A byte order mark is no part of JSON. */
function withoutMark(line: Uint8Array): Uint8Array {
  const isMarked = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf
  return withoutLineEnds(isMarked ? line.subarray(3) : line)
}
