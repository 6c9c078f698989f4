import { setTimeout as wait } from 'node:timers/promises'
import { withElectron } from './support/electron-scripts'
import { withFolder } from './support/folder'
import { forInformation, report } from './support/report'
import { writeSmallTalks } from './support/small-talks'
import { startIdle } from './support/starts/idle'
import { emptyApp } from './support/starts/start'

const libraries = [300, 5000]
/** After this long a window has done what it does at its start: read the library, counted, looked for other systems' files, made the index. */
const settledMs = 90_000
const idleMs = 60_000

/** Memory and processor time of windows that nobody touches, all at once: whatever else the machine does meets all alike. */
await withFolder((folder) =>
  withElectron(async ({ newPerson }, executable, base) => {
    const people = [undefined, ...libraries].map((count) => ({ count, person: newPerson(base) }))
    try {
      const apps = []
      for (const { count, person } of people) {
        const args =
          count === undefined ? [emptyApp] : ['.', '--home', writeSmallTalks(folder, count)]
        const selector = count === undefined ? '.shown' : '.library-row:not(.provisional)'
        apps.push({ count, ...(await startIdle({ executable, args, env: person.env, selector })) })
      }
      await wait(settledMs)
      const before = apps.map((app) => app.processorMs())
      await wait(idleMs)
      const figures = apps.map((app, at) => ({
        name: app.count === undefined ? 'an empty window' : `${app.count} conversations`,
        processorMs: app.processorMs() - (before[at] ?? 0),
        memoryMb: app.memoryMb(),
      }))
      for (const app of apps) await app.end()
      report(
        figures.flatMap(({ name, processorMs, memoryMb }) => [
          forInformation(`idle: ${name}, memory of all its processes`, memoryMb, 'MB'),
          forInformation(`idle: ${name}, processor time in a minute`, processorMs, 'ms'),
        ]),
      )
    } finally {
      for (const { person } of people) person.remove()
    }
  }),
)
