#pragma once
#include <salvo/study.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace salvo {

// The name under which one run owns its trials: this process, and a number among the runs that go on in it now.
// A later run of the same process gets the same number again, and with it what the earlier one left pending.
class RunOwner {
 public:
  RunOwner();
  ~RunOwner() { release(); }
  RunOwner(const RunOwner&) = delete;
  RunOwner& operator=(const RunOwner&) = delete;
  void release();  // before its end: the number is free for the next run
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  int number_ = 1;
  std::string name_;
};

struct RunPolicyOptions {
  std::int64_t evaluations = 5000;  // of the whole study: all its trials but the abandoned ones, whoever asked for them
  int batch = 100;                  // sets how many failures at first are too many
  int at_once = 100;                // trials that may be out at the same time
  bool refill = true;               // ask again as results come; false: when all that was out has come back
  int retries = 0;                  // attempts after the first, when it failed
  void validate() const;            // throws std::invalid_argument
};

// What every runner of a study decides alike, whatever evaluates its trials (commands, functions, workers far away): how many
// points to ask for, what to try again, what to tell, when to give up. It says what is so; the caller words it for its user.
//
// Until a study has its first value, failures are not told but held back: when the first 20 trials all fail, it is the
// objective that is wrong rather than the points, and these stay pending for the run after the repair. They are told with the
// first value. In a study that has values, failures are told as they come; a run that begins with max(20, batch) of them ends.
//
// A failure of the machine (a killed program, a lost worker, an exit code that says so) says nothing of its point and is never
// told: the trial is tried again, twice or `retries` times, after what else waits, and then left pending for a run to come. When
// nothing else comes of the attempts after such failures, ten in a row, the machine stays broken and the run ends.
//
// The study is an argument, the same one each time: who keeps it may lock it or close it in between. One object serves one
// thread.
class RunPolicy {
 public:
  struct Refused {
    std::int64_t id = 0;
    std::string why;
  };
  struct Recorded {
    std::vector<Told> taken;       // by id: now in the study, those that had been held back among them
    std::vector<Refused> refused;  // somebody else had told or abandoned these, and theirs stands
  };
  struct AllFailed {
    std::int64_t num_failures = 0;
    std::string last_error;
    bool held = false;  // true: these trials are still pending; false: they are recorded as failed
  };

  struct MachineFailed {
    std::int64_t num_failures = 0;     // attempts
    std::vector<std::int64_t> left{};  // trials that stay pending for it
    std::string last_error{};
    bool broken = false;  // and it stays so: the run should end
  };

  RunPolicy(Study& study, const RunPolicyOptions& options);

  [[nodiscard]] const std::string& owner() const { return owner_.name(); }  // for ask() and claim_orphans()
  void release_owner() { owner_.release(); }                                // when the run is over and this object is not
  // Points to ask for now, when `num_out` trials of this run are waiting or being evaluated. 0: the budget is spent, or a finite
  // space or a pool has no more, or it is not the time.
  [[nodiscard]] int room(Study& study, std::int64_t num_out);
  // After a failed attempt: true when there is to be another; false when the failure is to be recorded.
  [[nodiscard]] bool retry(std::int64_t id);
  // After an attempt that the machine ended: true when there is to be another; false when the trial stays pending.
  [[nodiscard]] bool retry_machine(std::int64_t id, const std::string& why);
  [[nodiscard]] const MachineFailed& machine() const { return machine_; }
  // Values and failures that came together: one transaction, if nobody interfered.
  Recorded record(Study& study, std::vector<Told> outcomes);
  // Tells without holding anything back or counting it, for a run that ends otherwise.
  static Recorded tell(Study& study, std::vector<Told> outcomes);

  [[nodiscard]] bool has_value() const { return num_values_ > 0; }  // in this run
  // Why to give up, if it is time. nothing_left: all is evaluated and nothing to be asked for, so no better news will come.
  [[nodiscard]] std::optional<AllFailed> all_failed(bool nothing_left) const;

 private:
  RunPolicyOptions options_;
  RunOwner owner_;
  bool endless_ = false;  // a float varies, so there are always points left: counting them would read the pending ones
  bool holding_;
  std::int64_t patience_;  // failures before the first value that end the run
  std::vector<Told> held_;
  std::map<std::int64_t, int> attempts_;  // failed ones, by id
  MachineFailed machine_;
  std::map<std::int64_t, int> machine_attempts_;  // that the machine ended, by id
  int machine_in_a_row_ = 0;                      // of these the repeated ones, since something else came
  std::int64_t num_values_ = 0, num_failures_ = 0;
  std::string last_error_;
};

}  // namespace salvo
