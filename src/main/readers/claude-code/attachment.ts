import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type BlockPart, partsOfContent } from '../common/content/blocks'
import { splitWrappers } from './wrappers'

/**
 * Converts the attachment of a record: a prompt that was typed while the model worked is a person's message; everything
 * else the program added for the model, such as a file.
 */
export function attachmentParts(attachment: unknown, text: string): readonly BlockPart[] {
  if (!isJsonObject(attachment))
    return [{ type: 'unknown', content: text.trim(), rawType: 'attachment' }]
  const { type, prompt, commandMode } = attachment
  const isPrompt = commandMode === undefined || commandMode === 'prompt'
  if (type === 'queued_command' && prompt !== undefined)
    return partsOfContent(prompt, {
      isAssistant: false,
      injectedAs: isPrompt ? undefined : String(commandMode),
      splitWords: splitWrappers,
    })
  const name = typeof type === 'string' ? type : ''
  return [
    {
      type: 'words',
      content: wordsIn(attachment) ?? JSON.stringify(attachment),
      isAssistant: false,
      injectedAs: name === '' ? 'attachment' : `attachment/${name}`,
      images: [],
      attachments: [],
    },
  ]
}

/** The text of a file or of a note, with its name. */
function wordsIn({ filename, content }: Readonly<Record<string, unknown>>): string | undefined {
  const file = isJsonObject(content) && isJsonObject(content.file) ? content.file.content : content
  if (typeof file !== 'string') return undefined
  return typeof filename === 'string' ? `${filename}\n${file}` : file
}
