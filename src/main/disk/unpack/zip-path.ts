import path from 'node:path'
import type { ZipMember } from './zip-member'

/** The folder of a zip's members. No real folder is below a file. */
const folderName = '!'

/** Returns the folder in which a zip's members are: a name for `Disk.list`, and for paths of members. */
export function zipMembersFolder(zip: string): string {
  return path.join(zip, folderName)
}

/** Returns the zip whose members are in a folder; undefined for a folder of another name. */
export function zipOf(folder: string): string | undefined {
  return path.basename(folder) === folderName ? path.dirname(folder) : undefined
}

/**
 * Returns the path of a member below its zip's folder, with slashes. Whatever its name is, it leads nowhere else, and no
 * two members have the same.
 */
export function memberPath({ name, copy }: Pick<ZipMember, 'name' | 'copy'>): string {
  const whole = name.split('/').map(safeName).join('/')
  return copy === 1 ? whole : `${whole}%~${copy}`
}

/** Parses a path that may be one of a member; undefined for any other. */
export function parseMemberPath(
  target: string,
): { readonly zip: string; readonly member: string } | undefined {
  const mark = `${path.sep}${folderName}${path.sep}`
  const at = target.indexOf(mark)
  if (at < 0) return undefined
  const member = target.slice(at + mark.length).replaceAll(path.sep, '/')
  return { zip: target.slice(0, at), member }
}

/**
 * Returns the last name in a member's path as its archive has it: without the mark of a second one, and behind the last
 * backslash, which archives from Windows have for a slash.
 */
export function memberName(member: string): string {
  const last = path.posix.basename(member).replace(/%~\d+$/, '')
  const name = last.replace(/%([0-9A-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return name.slice(name.lastIndexOf('\\') + 1)
}

/** Without what a path gives a meaning, or what marks a folder of ours. */
function safeName(name: string): string {
  if (name === '') return '%'
  const plain = name.replace(/[%\\\p{Cc}]|^!/gu, coded)
  return /^\.+$/.test(plain) ? plain.replaceAll('.', '%2E') : plain
}

function coded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
