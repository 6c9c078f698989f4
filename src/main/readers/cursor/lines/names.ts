import { wellFormed } from '../../../../shared/model/basics/well-formed'

/** The id of the format that presents chats of a `state.vscdb` as files of lines. */
export const cursorFormat = 'cursor'

/** The id of the format that presents the tabs of older versions, in a `state.vscdb`, as files of lines. */
export const tabFormat = 'cursor-tabs'

/** The name of the record file that lists what a `state.vscdb` holds, one a line. No chat has it. */
export const listName = '.list'

const callPrefix = '.call-of~'

/** A chat, with the one that called it where it is a subagent's and only the other tells. */
export interface NamedChat {
  readonly id: string
  readonly parent?: string | undefined
}

/** Returns the name of a chat's record file. */
export function cursorChatName({ id, parent }: NamedChat): string {
  return parent === undefined ? escaped(id) : `${escaped(id)}~${escaped(parent)}`
}

/** Parses the name of a chat's record file; undefined for any other. */
export function parseChatName(name: string): NamedChat | undefined {
  if (name.startsWith('.')) return undefined
  const [id, parent, ...others] = name.split('~').map(unescaped)
  if (id === undefined || id === '' || others.length > 0) return undefined
  return { id, parent }
}

/** Returns the name of the record file that names the tool call which began a chat, in its parent. */
export function subagentCallName(parent: string, child: string): string {
  return `${callPrefix}${escaped(parent)}~${escaped(child)}`
}

/** Parses such a name; undefined for any other. */
export function parseCallName(
  name: string,
): { readonly parent: string; readonly child: string } | undefined {
  if (!name.startsWith(callPrefix)) return undefined
  const [parent, child] = name.slice(callPrefix.length).split('~').map(unescaped)
  return parent === undefined || child === undefined ? undefined : { parent, child }
}

/** Ids are UUIDs; a hostile one is none of the other names here. */
function escaped(id: string): string {
  return encodeURIComponent(wellFormed(id)).replaceAll('~', '%7E').replace(/^\./, '%2E')
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
