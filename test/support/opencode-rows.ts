/** The tables of OpenCode's version 1 that hold sessions, as releases make them. */
export const opencodeTables = `
  create table project (id text primary key, worktree text not null);
  create table session (id text primary key, project_id text, parent_id text, directory text, title text, revert text,
    time_created integer, time_updated integer);
  create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
  create table part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer, data text);
  create index message_session_time_created_id_idx on message (session_id, time_created, id);
  create index part_session_idx on part (session_id);
`

/** Quotes a text for SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The statements that add a session. */
export function sessionSql(id: string, title: string, updatedMs = 1_790_000_000_000): string {
  return `insert into session values (${sqlText(id)}, 'global', null, '/home/ann', ${sqlText(title)}, null, 1790000000000, ${updatedMs});`
}

/** The statements that add a message of one text. */
export function messageSql(
  session: string,
  id: string,
  role: 'user' | 'assistant',
  text: string,
  timeMs: number,
): string {
  const data = JSON.stringify({ role, time: { created: timeMs } })
  const part = JSON.stringify({ type: 'text', text })
  const times = `${timeMs}, ${timeMs}`
  return `insert into message values (${sqlText(id)}, ${sqlText(session)}, ${times}, ${sqlText(data)});
    insert into part values (${sqlText(`prt_${id}`)}, ${sqlText(id)}, ${sqlText(session)}, ${times}, ${sqlText(part)});`
}
