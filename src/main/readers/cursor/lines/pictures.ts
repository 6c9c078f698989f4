import { isJsonObject } from '../../../../shared/model/basics/json-object'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const mostBytes = 32 * 1024 * 1024

/**
 * Returns the bytes of a picture as an address (`data:...`), in whichever form they are in a record: an address, Base64, or a list of
 * bytes; undefined for anything else.
 *
 * @param type as the record names it
 */
export function pictureUrl(data: unknown, type: string | undefined): string | undefined {
  const kind = type?.startsWith('image/') === true ? type : 'image/png'
  if (typeof data === 'string') {
    if (data.startsWith('data:image/')) return data
    const isBytes = data.length >= 8 && data.length % 4 === 0 && base64.test(data)
    return isBytes ? `data:${kind};base64,${data}` : undefined
  }
  const bytes = bytesIn(data)
  return bytes === undefined
    ? undefined
    : `data:${kind};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A list of bytes, as JSON has a buffer, or an array by its places: `{"0": 137, "1": 80}`. */
function bytesIn(data: unknown): readonly number[] | undefined {
  const inner = isJsonObject(data) && Array.isArray(data.data) ? data.data : data
  const list: readonly unknown[] = Array.isArray(inner)
    ? inner
    : isJsonObject(inner)
      ? Object.values(inner)
      : []
  if (list.length === 0 || list.length > mostBytes) return undefined
  const bytes = list.filter(
    (one): one is number => typeof one === 'number' && one >= 0 && one <= 255,
  )
  return bytes.length === list.length ? bytes : undefined
}

/**
 * Returns the id of a picture's file in the editor's own data, `HASH/NAME` of a path `.../workspaceStorage/HASH/images/NAME` of whichever
 * system; undefined for a path elsewhere.
 */
export function assetOf(path: string): string | undefined {
  const [name = '', folder, hash = '', storage] = path.split(/[\\/]/).reverse()
  const isThere = folder === 'images' && storage === 'workspaceStorage'
  return isThere && isPlain(hash) && isPlain(name) ? `${hash}/${name}` : undefined
}

/** Returns the folder and name that such an id is; undefined for anything else. */
export function assetParts(
  id: string,
): { readonly hash: string; readonly name: string } | undefined {
  const [hash = '', name = '', ...more] = id.split('/')
  return more.length === 0 && isPlain(hash) && isPlain(name) ? { hash, name } : undefined
}

function isPlain(name: string): boolean {
  return name.length <= 200 && /^[\p{L}\p{N}_-][\p{L}\p{N}_.@+() -]*$/u.test(name)
}
