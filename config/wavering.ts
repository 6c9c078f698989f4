import ts from 'typescript'

/** Thing that makes a test depend on how fast the machine is, or on chance. */
export type Wavering =
  /** Waits for a time, and hopes that all has happened by then. */
  | 'sleep'
  /** Measures how long something takes. */
  | 'duration'
  /** Draws anew in each run. */
  | 'chance'
  /** Gives up before a busy machine can be done. */
  | 'limit'
  /** Lets the loop turn, or a window draw, a number of times, and hopes that all has happened by then. */
  | 'turns'
  /** Compares what a window shows at one moment, and hopes that it has come by then. */
  | 'once'

/** In milliseconds; what ends sooner may end on a busy machine. */
const leastLimitMs = 240_000

/** How a window is read. A poll looks again, `atRest` until nothing moves, and `topsWhile` in each frame. */
const looks =
  /\.(textContent|innerText|inputValue|allTextContents|allInnerTexts|count|title|boundingBox|getAttribute|evaluate(All)?|is(Visible|Hidden|Enabled|Disabled|Editable|Checked))\(/

const timers = new Set(['setTimeout', 'setInterval'])
const limited = /^(it|test|describe|beforeAll|beforeEach|afterAll|afterEach)$/

/** Finds where a test's source depends on speed or chance, each as `line shape`; texts that it hands to others are not looked into. */
export function waveringIn(name: string, text: string): readonly string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const pauses = pausesOf(source)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const shape = shapeOf(node, pauses)
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    if (shape !== undefined) found.push(`${line + 1} ${shape}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The names under which a file has Node's timer that resolves. */
function pausesOf(source: ts.SourceFile): ReadonlySet<string> {
  return new Set(
    source.statements.flatMap((one) => {
      if (!ts.isImportDeclaration(one) || !ts.isStringLiteral(one.moduleSpecifier)) return []
      const { namedBindings } = one.importClause ?? {}
      if (!/^(node:)?timers\/promises$/.test(one.moduleSpecifier.text)) return []
      if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) return []
      return namedBindings.elements
        .filter((each) => timers.has((each.propertyName ?? each.name).text))
        .map((each) => each.name.text)
    }),
  )
}

function shapeOf(node: ts.Node, pauses: ReadonlySet<string>): Wavering | undefined {
  if (ts.isCallExpression(node)) return shapeOfCall(node, pauses)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.MinusToken)
    return isNow(node.left) && isRemembered(node.right) ? 'duration' : undefined
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'timeout')
    return isShort(node.initializer) ? 'limit' : undefined
  if (ts.isForStatement(node) && isTurn(node.statement)) return 'turns'
  return undefined
}

function shapeOfCall(node: ts.CallExpression, pauses: ReadonlySet<string>): Wavering | undefined {
  const called = node.expression.getText().replace(/^(globalThis|window|self)\./, '')
  if (timers.has(called) || pauses.has(called) || /\bwaitForTimeout$/.test(called)) return 'sleep'
  if (
    /^(performance\.(now|mark|measure)|(process\.)?hrtime(\.bigint)?|console\.time)$/.test(called)
  )
    return 'duration'
  if (called === 'Math.random') return 'chance'
  // Vitest's own, which gives up after a second.
  if (/^vi\.(waitFor|waitUntil)$/.test(called)) return 'limit'
  if (/\.setDefaultTimeout$/.test(called) && node.arguments.some(isShort)) return 'limit'
  // What is waited for in an app, not in a page, heeds no default: Playwright gives up after 30 seconds.
  if (/\bapp\.waitForEvent$/.test(called) && node.arguments.length < 2) return 'limit'
  if (called === 'expect' && node.arguments.some(isSeenOnce)) return 'once'
  const last = node.arguments.at(-1)
  if (last !== undefined && isTestCall(node) && isShort(last)) return 'limit'
  return undefined
}

/** `it(…)`, `it.each(…)(…)`, `beforeAll(…)` and the like. */
function isTestCall(node: ts.CallExpression): boolean {
  return limited.test(/^\w+/.exec(node.expression.getText())?.[0] ?? '')
}

/** Whether a loop does nothing else than to let others have their turn. */
function isTurn(node: ts.Statement): boolean {
  const [only, ...more] = ts.isBlock(node) ? node.statements : [node]
  return more.length === 0 && /^await\b.*\b(setImmediate|settled)\b/s.test(only?.getText() ?? '')
}

/** Whether a value is what a window showed at one moment: read right here, or kept under a name that stands here. */
function isSeenOnce(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isAwaitExpression(node)) return isLook(node)
  if (ts.isIdentifier(node)) {
    const kept = keptAs(node)
    return kept !== undefined && ts.isAwaitExpression(kept) && isLook(kept)
  }
  if (ts.isPropertyAccessExpression(node)) return isSeenOnce(node.expression)
  return ts.forEachChild(node, (child) => isSeenOnce(child) || undefined) ?? false
}

function isLook({ expression }: ts.AwaitExpression): boolean {
  return looks.test(expression.getText()) && !/^(atRest|topsWhile)\b/.test(expression.getText())
}

/** Finds what a name was given in a block around it. */
function keptAs(name: ts.Identifier): ts.Expression | undefined {
  for (let block: ts.Node = name; block !== undefined; block = block.parent)
    for (const one of ts.isBlock(block) ? block.statements : [])
      for (const each of ts.isVariableStatement(one) ? one.declarationList.declarations : [])
        if (each.name.getText() === name.text) return each.initializer
  return undefined
}

function isNow(node: ts.Expression): boolean {
  return /^(Date\.now\(\)|\+new Date\(\)|new Date\(\)(\.getTime\(\))?)$/.test(node.getText())
}

/** Returns true for what may be an earlier time: an amount is a number, or reckoned. */
function isRemembered(node: ts.Expression): boolean {
  return ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
}

function isShort(node: ts.Expression): boolean {
  const value = numberIn(node)
  return value !== undefined && value < leastLimitMs
}

function numberIn(node: ts.Expression): number | undefined {
  return ts.isNumericLiteral(node) ? Number(node.text.replaceAll('_', '')) : undefined
}
