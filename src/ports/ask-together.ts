/** A question that waits for its answer. */
interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Batches questions: all questions of one turn of the event loop are answered by one request.
 * @param answer returns the answers in the order of the questions; if it fails, all questions fail
 */
export function askTogether<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  const answerAll = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const answers = await answer(batch.map(({ question }) => question));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) queueMicrotask(() => void answerAll());
    });
}
