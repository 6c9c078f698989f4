import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { type Fields, textIn } from '../../common/drafts'
import { memberList, pathIn } from './fields'

/** Returns the files, selections and pictures that were sent with a message, as fields of metadata. */
export function attachedTo(variableData: JsonObject): Fields {
  const images: { readonly url: string }[] = []
  const attachments: Fields[] = []
  for (const one of memberList(variableData, 'variables')) {
    if (!isJsonObject(one)) continue
    const url = pictureUrl(one)
    if (url === undefined) attachments.push(attachment(one))
    else images.push({ url })
  }
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

function attachment(variable: JsonObject): Fields {
  const { name, kind, id, value } = variable
  const file = pathIn(value)
  return {
    filename: textIn(name) ?? file ?? textIn(id) ?? 'attachment',
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(file === undefined ? {} : { path: file }),
  }
}

function pictureUrl({ kind, mimeType, value }: JsonObject): string | undefined {
  if (kind !== 'image') return undefined
  const type =
    typeof mimeType === 'string' && /^image\/[\w.+-]+$/.test(mimeType) ? mimeType : 'image/png'
  const bytes = bytesIn(value)
  return bytes === undefined ? undefined : `data:${type};base64,${bytes.toString('base64')}`
}

/** Bytes are written as a list of numbers, or as an object with their places as keys. */
function bytesIn(value: unknown): Buffer | undefined {
  const numbers = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  const isOfBytes = numbers.every((one) => Number.isInteger(one) && one >= 0 && one <= 255)
  return numbers.length === 0 || !isOfBytes ? undefined : Buffer.from(numbers)
}
