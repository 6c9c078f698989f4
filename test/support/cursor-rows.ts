import { createHash } from 'node:crypto'
import { sqlText } from './opencode-rows'

/** The tables of the editor's databases. */
export const stateTables = `
  create table ItemTable (key text unique on conflict replace, value blob);
  create table cursorDiskKV (key text unique on conflict replace, value blob);
`

/** The statement that writes a row as the editor does. @param value JSON, or another text as it is */
export function stateSql(key: string, value: unknown, table = 'cursorDiskKV'): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `insert into ${table} values (${sqlText(key)}, ${sqlText(text)});`
}

/** The statement that writes a chat's record, with the order of its messages: their ids, a person's with a `u` in front. */
export function chatSql(id: string, members: object, bubbles: readonly string[]): string {
  const headers = bubbles.map((bubble) => ({
    bubbleId: bubble,
    type: bubble.startsWith('u') ? 1 : 2,
  }))
  const chat = { _v: 17, composerId: id, ...members, fullConversationHeadersOnly: headers }
  return stateSql(`composerData:${id}`, chat)
}

/** The statement that writes a message. */
export function bubbleSql(chat: string, id: string, members: object): string {
  const bubble = { _v: 3, type: id.startsWith('u') ? 1 : 2, bubbleId: id, ...members }
  return stateSql(`bubbleId:${chat}:${id}`, bubble)
}

/** The tables of the command line's databases. */
export const storeTables = `
  create table blobs (id text primary key, data blob);
  create table meta (key text primary key, value text);
`

/** Returns the id of a blob, as hexadecimal text. */
export function digestOf(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** The statement that writes a blob. */
export function blobSql(data: Uint8Array | string): string {
  const hex = Buffer.from(data).toString('hex')
  return `insert or ignore into blobs values ('${digestOf(data)}', x'${hex}');`
}

/** Returns a root: the list of messages so far, and a folder. */
export function rootBlob(messages: readonly string[], folder = '/home/ann/paths'): Buffer {
  return Buffer.concat([
    ...messages.map((message) =>
      Buffer.concat([Buffer.from([0x0a, 32]), Buffer.from(digestOf(message), 'hex')]),
    ),
    Buffer.from([0x4a, Buffer.byteLength(folder)]),
    Buffer.from(folder),
  ])
}

/** The statement that writes the store's own record. @param root where the chat is now */
export function metaSql(root: Uint8Array, members: object): string {
  const meta = { latestRootBlobId: digestOf(root), ...members }
  const hex = Buffer.from(JSON.stringify(meta)).toString('hex')
  return `insert or replace into meta values ('0', '${hex}');`
}
