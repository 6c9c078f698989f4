import { isJsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { splitTagged, type WordStretch } from '../common/content/stretch'
import { type Fields, jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { namelessTool } from '../common/tool-names'

/** A part of a message's content, by what it is. */
interface KimiParts {
  readonly thoughts: readonly string[]
  readonly texts: readonly string[]
  readonly images: readonly unknown[]
  readonly others: readonly unknown[]
}

/** Splits content into thoughts, words, pictures and the rest: a text, a part, or a list of both. */
export function kimiParts(content: unknown): KimiParts {
  const found = { thoughts: [] as string[], texts: [] as string[], images: [] as unknown[] }
  const others: unknown[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (part === null || part === undefined) continue
    const { type, text, think }: Fields = isJsonObject(part) ? part : { text: part }
    const thought = type === 'think' || type === 'thinking' ? [think, text].find(isText) : undefined
    const url = isJsonObject(part) ? pictureUrl(part) : undefined
    if (thought !== undefined) found.thoughts.push(thought)
    else if (isText(text)) found.texts.push(text)
    else if (url !== undefined) found.images.push({ url })
    else others.push(part)
  }
  return { ...found, others }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Pictures that lie elsewhere, such as in a file of the session, are named and not shown. */
function pictureUrl({ image_url: snake, imageUrl }: Fields): string | undefined {
  const image = snake ?? imageUrl
  const url = isJsonObject(image) ? image.url : image
  return isText(url) && url.startsWith('data:image/') ? url : undefined
}

/** Converts a message to its entries, at least one; undefined for an unknown role. Both programs' names of fields are read. */
export function kimiMessage(message: Fields): readonly TimelessEntry[] | undefined {
  switch (message.role) {
    case 'user':
    case 'system':
      return promptEntries(message)
    case 'assistant':
      return answerOf(message)
    case 'tool':
      return [toolMessage(message)]
    default:
      return undefined
  }
}

/** A message in a person's name is theirs where its origin is, or is not told and its text is no note of the program's. */
function promptEntries({ role, content, origin }: Fields): readonly TimelessEntry[] {
  const { texts, thoughts, ...others } = kimiParts(content)
  const words = [...thoughts, ...texts].join('\n')
  const kind = isJsonObject(origin) ? textIn(origin.kind) : textIn(origin)
  const told = role === 'system' ? 'system' : kind
  const whole: readonly WordStretch[] = [
    { content: words, wrapper: told === 'user' ? undefined : told },
  ]
  const stretches =
    told === undefined ? splitTagged(words, ['system', 'system-reminder'], []) : whole
  const own = stretches.findIndex(({ wrapper }) => wrapper === undefined)
  const at = own === -1 ? stretches.length - 1 : own
  return stretches.map(({ content: said, wrapper }, i) =>
    withFields(
      {
        from: wrapper === undefined ? 'user' : 'kimi',
        to: 'kimi',
        content: said,
        entry_type: 'message',
        role: 'user',
      },
      {
        ...(wrapper === undefined ? {} : { injected: true, raw_type: wrapper }),
        ...(i === at ? attachmentFields(others) : {}),
      },
    ),
  )
}

function answerOf(message: Fields): readonly TimelessEntry[] {
  const { thoughts, texts, ...others } = kimiParts(message.content)
  const listed = message.tool_calls ?? message.toolCalls
  const calls = (Array.isArray(listed) ? listed : []).map(callOf)
  const attached = attachmentFields(others)
  const isSilent = texts.join('') === '' && Object.keys(attached).length === 0
  const words = answerText(texts.join('\n'))
  return [
    ...thoughts.map(thoughtOf),
    ...(isSilent && thoughts.length + calls.length > 0 ? [] : [withFields(words, attached)]),
    ...calls,
  ]
}

/** Makes the entry of words that the model said. */
export function answerText(content: string): TimelessEntry {
  return { from: 'kimi', to: 'user', content, entry_type: 'message', role: 'agent' }
}

/** Makes the entry of a thought. */
export function thoughtOf(content: string): TimelessEntry {
  return { from: 'kimi', to: 'user', content, entry_type: 'reasoning' }
}

function callOf(call: unknown): TimelessEntry {
  const fields: Fields = isJsonObject(call) ? call : {}
  const { name, arguments: args } = isJsonObject(fields.function) ? fields.function : fields
  return kimiCall(fields.id, name, isJsonObject(call) ? args : call)
}

/** Makes the entry of a call. */
export function kimiCall(id: unknown, name: unknown, args: unknown): TimelessEntry {
  const call = textIn(id)
  return {
    from: 'kimi',
    to: textIn(name) ?? namelessTool,
    content: jsonText(args),
    entry_type: 'tool_call',
    ...(call === undefined ? {} : { tool_call_id: call }),
  }
}

function toolMessage(message: Fields): TimelessEntry {
  const { content, tool_call_id: snake, toolCallId, isError, note, name } = message
  return toolAnswer({ id: snake ?? toolCallId, name, output: content, note, isError })
}

/** Makes the entry of a tool's result, with the note that the model got with it. */
export function toolAnswer({ id, name, output, note, isError }: Fields): TimelessEntry {
  const { thoughts, texts, ...others } = kimiParts(output)
  const call = textIn(id)
  const content = [...thoughts, ...texts, textIn(note) ?? ''].filter((one) => one !== '').join('\n')
  return withFields(
    {
      from: textIn(name) ?? namelessTool,
      to: 'kimi',
      content,
      entry_type: 'tool_result',
      ...(call === undefined ? {} : { tool_call_id: call }),
    },
    { ...(isError === true ? { is_error: true } : {}), ...attachmentFields(others) },
  )
}

/** Returns the text of a compaction's summary: a text, or the message that it became. */
export function summaryText(summary: unknown): string {
  return kimiParts(isJsonObject(summary) ? summary.content : summary).texts.join('\n')
}
