import { utilityProcess } from 'electron'

/**
 * Starts a file of the built program as a utility process of Electron's: Node without this program's environment, and without what it prints.
 * It works also where the program cannot be run as Node. What it sends and is sent is as `postMessage` has it.
 */
export function startUtility(file: string) {
  const child = utilityProcess.fork(file, [], {
    env: {},
    stdio: 'ignore',
    serviceName: 'Skein reader',
  })
  return {
    ask: (question: unknown) => child.postMessage(question),
    onAnswer: (hear: (answer: never) => void) =>
      void child.once('message', (answer) => hear(answer as never)),
    onEnd: (hear: () => void) => void child.once('exit', hear),
    kill: () => void child.kill(),
  }
}
