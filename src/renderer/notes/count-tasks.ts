/** Counts the tasks of a Markdown list, `- [ ]`, and those that are done, `- [x]`. */
export function countDoneTasks(text: string): { readonly all: number; readonly done: number } {
  const tasks = text.match(/^\s*[-*+] \[[ xX]\] /gm) ?? []
  return { all: tasks.length, done: tasks.filter((task) => !task.includes('[ ]')).length }
}
