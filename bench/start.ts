import { withElectron } from './support/electron-scripts'
import { withFolder } from './support/folder'
import { atMost, forInformation, median, report } from './support/report'
import { writeSmallTalks } from './support/small-talks'
import { emptyApp, startMs } from './support/starts/start'

const libraries = [300, 5000]
/** Starts of each, by turns. */
const turns = 9
/** The budget: times the start of an empty window. */
const mostTimes = 1.5

/** A conversation's row that was read, not one that only its file is known of. */
const rowShown = '.library-row:not(.provisional)'
/** Turn of the conversation that opens by itself. */
const turnShown = '.transcript-row'

/** Until the window shows what stands in it, by turns with one that has nothing in it: whatever else the machine does meets all alike. */
await withFolder((folder) =>
  withElectron(async ({ newPerson }, executable, base) => {
    const empty = newPerson(base)
    const started = libraries.map((count) => {
      const home = writeSmallTalks(folder, count)
      return { count, home, person: newPerson(base), rows: [0].slice(1), turns: [0].slice(1) }
    })
    try {
      const bare: number[] = []
      const startEmpty = () =>
        startMs({ executable, args: [emptyApp], env: empty.env, selector: '.shown' })
      const startApp = ({ home, person }: (typeof started)[number], selector: string) =>
        startMs({ executable, args: ['.', '--home', home], env: person.env, selector })
      await startEmpty()
      // A first one makes the profile and the cache, as for everybody who has it open every day.
      const first = new Map<number, number>()
      for (const app of started) first.set(app.count, await startApp(app, rowShown))
      for (let turn = 0; turn < turns; turn++) {
        bare.push(await startEmpty())
        for (const app of started) app.rows.push(await startApp(app, rowShown))
        for (const app of started) app.turns.push(await startApp(app, turnShown))
      }
      report([
        forInformation('start: an empty window', median(bare), 'ms'),
        ...started.flatMap(({ count, rows, turns: opened }) => [
          forInformation(
            `start: ${count} conversations, the first time`,
            first.get(count) ?? 0,
            'ms',
          ),
          forInformation(`start: ${count} conversations, until rows are shown`, median(rows), 'ms'),
          forInformation(
            `start: ${count} conversations, until the newest one is open`,
            median(opened),
            'ms',
          ),
          atMost(
            `start: ${count} conversations, against an empty window`,
            median(rows) / median(bare),
            'times',
            mostTimes,
          ),
        ]),
      ])
    } finally {
      empty.remove()
      for (const { person } of started) person.remove()
    }
  }),
)
