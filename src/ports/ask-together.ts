interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Has questions that are asked in one turn of the program answered together, by one request.
 * @param answer the answers, in the order of the questions; where it fails, each of them does
 */
export function askTogether<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  const answerAll = async (): Promise<void> => {
    const together = waiting;
    waiting = [];
    try {
      const answers = await answer(together.map(({ question }) => question));
      for (const [i, { resolve }] of together.entries()) resolve(answers[i]!);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) queueMicrotask(() => void answerAll());
    });
}
