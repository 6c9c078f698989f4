/** When a page's time begins: noon of a Wednesday there, far from midnight and from a change of the clocks. */
const beginsMs = Date.UTC(2026, 10, 18, 11)
const aheadMs = beginsMs - Date.now()
const machine = Date
const nowMs = () => machine.now() + aheadMs

/** The page's time passes as the machine's does; which day is shown for what was hours ago is no matter of chance. */
globalThis.Date = new Proxy(machine, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, made),
  get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
})
