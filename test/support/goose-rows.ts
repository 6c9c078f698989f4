import { sqlText } from './opencode-rows'

/** Goose's tables that hold sessions, as releases make them. */
export const gooseRowTables = `
  create table sessions (id text primary key, name text not null default '', working_dir text not null,
    created_at timestamp default current_timestamp, updated_at timestamp default current_timestamp);
  create table messages (id integer primary key autoincrement, message_id text, session_id text not null,
    role text not null, content_json text not null, created_timestamp integer not null, metadata_json text);
  create index idx_messages_session on messages (session_id);
`

/** The statements that add a session. @param minute of its last change */
export function gooseSessionSql(id: string, name: string, minute = 0): string {
  const time = `'2026-09-10 09:${String(minute).padStart(2, '0')}:00'`
  return `insert into sessions values (${sqlText(id)}, ${sqlText(name)}, '/home/ann', ${time}, ${time});`
}

/** The statements that add a message of one text. @param time in Unix seconds */
export function gooseMessageSql(
  session: string,
  role: 'user' | 'assistant',
  text: string,
  time: number,
): string {
  const data = JSON.stringify([{ type: 'text', text }])
  return `insert into messages (session_id, role, content_json, created_timestamp)
    values (${sqlText(session)}, '${role}', ${sqlText(data)}, ${time});`
}
